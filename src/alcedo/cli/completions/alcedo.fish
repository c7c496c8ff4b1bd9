# Fish completion for alcedo. The program itself knows its commands and options:
#   alcedo completion fish | source
function __alcedo_candidates
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l prefix ""
    # An option and its value behind a sign are two words, as in bash.
    if string match -qr -- '^--[^=]+=' $last
        set -l parts (string split -m 1 = -- $last)
        set -a words $parts[1] =
        set prefix $parts[1]=
        set last $parts[2]
    end
    for candidate in ($words[1] __complete $words[2..-1] "$last" 2>/dev/null)
        echo $prefix$candidate
    end
end
# Where the program has nothing to offer, fish completes file names.
complete -c alcedo -n 'test -n "$(__alcedo_candidates)"' -f -a '(__alcedo_candidates)'
