# Bash completion for alcedo. The program itself knows its commands and options:
#   source <(alcedo completion bash)
_alcedo() {
  local program="${1/#\~/$HOME}"
  # Where the program has nothing to offer, bash completes file names (-o default below).
  mapfile -t COMPREPLY < <("$program" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _alcedo alcedo
