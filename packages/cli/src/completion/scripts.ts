/** What each shell is told once: whom to ask for the words that can follow. All knowledge is in the program. */

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const bash = `# Completion of gantry for bash. Use it with: source <(gantry completion bash)
_gantry() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default 2>/dev/null ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(command gantry __complete --shell bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _gantry gantry
`

const zsh = `#compdef gantry
# Completion of gantry for zsh. Use it with: source <(gantry completion zsh)
_gantry() {
  local line value files
  local -a lines values
  lines=("\${(@f)$(command gantry __complete --shell zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    if [[ "$line" == :files ]]; then
      files=1
    elif [[ "$line" == *$'\\t'* ]]; then
      value="\${line%%$'\\t'*}"
      values+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    elif [[ -n "$line" ]]; then
      values+=("\${line//:/\\\\:}")
    fi
  done
  if [[ -n "$files" ]]; then
    _files
  elif (( \${#values} )); then
    _describe gantry values
  fi
}
if [[ "\${funcstack[1]}" == _gantry ]]; then
  _gantry "$@"
else
  compdef _gantry gantry
fi
`

const fish = `# Completion of gantry for fish. Use it with: gantry completion fish | source
function __gantry_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  for line in (command gantry __complete --shell fish -- $words "$current" 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path "$current"
    else
      printf '%s\\n' "$line"
    end
  end
end
complete -c gantry -f -a '(__gantry_complete)'
`

export const scripts = { bash, zsh, fish } as const satisfies Record<Shell, string>
