import { valueCases } from './cases.js'
import { type CommandWords, type PlacedCommand, placeCommands } from './command-words.js'

const commandCase = ({ place, command }: PlacedCommand): string => {
  const commands = command.commands.map(({ name }) => name).join(' ')
  const options = command.options.flatMap(({ names }) => names).join(' ')
  return `    '${place}') commands='${commands}' options='${options}' ;;`
}

/** Also works in the bash 3.2 of macOS: no `mapfile`, and `compopt` only where it exists. */
const walk = `_kronika() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= value= commands= options= word at position=1
  _kronika_command ''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $word == = ]]; then continue; fi
    if [[ -n $value ]]; then value=; continue; fi
    if [[ $word == -* ]]; then _kronika_value "$place|$word"; continue; fi
    if [[ " $commands " == *" $word "* ]]; then
      place="\${place:+$place }$word"
      _kronika_command "$place"
    else
      position=$((position + 1))
    fi
  done
  if [[ $current == = ]]; then current=; fi
  if [[ -z $value && $current == -* ]]; then
    value="words $options"
  elif [[ -z $value && -n $commands ]]; then
    value="words $commands"
  elif [[ -z $value ]]; then
    _kronika_value "$place|$position"
  fi
  COMPREPLY=()
  case $value in
    folder)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current")
      ;;
    words*)
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "\${value#words}" -- "$current")
      ;;
  esac
}
complete -F _kronika kronika`

/** The completion script for bash. */
export const bashScript = (program: CommandWords): string => {
  const placed = placeCommands(program)
  const values = valueCases(placed).map(
    ({ text, keys }) => `    ${keys.map(key => `'${key}'`).join(' | ')}) value='${text}' ;;`,
  )
  return [
    '# Completes kronika in bash. Printed by `kronika completion bash`.',
    '',
    '# Sets `value` to what completes an option or an argument; empty: nothing.',
    '_kronika_value() {',
    '  case $1 in',
    ...values,
    '    *) value= ;;',
    '  esac',
    '}',
    '',
    '# Sets the commands below a command, and its options.',
    '_kronika_command() {',
    '  case $1 in',
    ...placed.map(commandCase),
    '  esac',
    '}',
    '',
    walk,
  ].join('\n')
}
