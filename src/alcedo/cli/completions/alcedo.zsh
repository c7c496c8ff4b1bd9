#compdef alcedo
# Zsh completion for alcedo. The program itself knows its commands and options:
#   source <(alcedo completion zsh)
_alcedo() {
  local -a before candidates
  before=("${(@Q)words[2,CURRENT-1]}")
  # An option and its value behind a sign are two words, as in bash.
  if [[ $PREFIX == --*=* ]]; then
    before+=("${PREFIX%%=*}" "=")
    IPREFIX+="${PREFIX%%=*}="
    PREFIX="${PREFIX#*=}"
  fi
  candidates=("${(@f)$("${(Q)words[1]/#\~/$HOME}" __complete "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
  # Where the program has nothing to offer, a file name is wanted.
  if [[ -n "${candidates[*]}" ]]; then
    compadd -- "${candidates[@]}"
  else
    _files
  fi
}
# Loaded as a function by compinit, or read by source.
if [[ "${funcstack[1]}" == _alcedo ]]; then
  _alcedo "$@"
else
  compdef _alcedo alcedo
fi
