import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Output } from '../output.js'
import { valueCases } from './cases.js'
import {
  type CommandWords,
  type OptionWords,
  type PlacedCommand,
  placeCommands,
  type WordValue,
} from './command-words.js'
import type { Shell } from './shells.js'
import { zshScript } from './zsh.js'

export interface CompletionOptions {
  readonly shell: Shell
  readonly program: CommandWords
}

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

/** The completion script for fish. */
export const fishScript = (program: CommandWords): string => {
  const placed = placeCommands(program)
  const withValue = valueCases(placed).flatMap(({ keys }) => keys.filter(key => key.includes('|-')))
  const commands = placed.flatMap(({ place, command }) =>
    command.commands.map(({ name }) => `${place}|${name}`),
  )
  return [
    '# Completes kronika in fish. Printed by `kronika completion fish`.',
    '',
    '# Whether the command line is at the command of this place.',
    'function __kronika_at',
    '    set -l place',
    '    set -l is_value 0',
    '    set -l words (commandline -opc)',
    '    set -e words[1]',
    '    for word in $words',
    '        if test $is_value = 1',
    '            set is_value 0',
    '            continue',
    '        end',
    '        switch "$place|$word"',
    `            case ${withValue.map(quoteText).join(' ')}`,
    '                set is_value 1',
    `            case ${commands.map(quoteText).join(' ')}`,
    '                set place (string trim -- "$place $word")',
    '        end',
    '    end',
    '    test "$place" = "$argv[1]"',
    'end',
    '',
    'complete -c kronika -e',
    'complete -c kronika -f',
    ...placed.flatMap(commandLines),
  ].join('\n')
}

/** Prints the completion script of a shell, generated from the commands of this program. */
export const completionCommand =
  (output: Output) =>
  ({ shell, program }: CompletionOptions): Promise<ExitCode> => {
    output.out(scripts[shell](program))
    return Promise.resolve(exitCodes.ok)
  }

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

const quoteText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const valueArgument = (value: WordValue): string => {
  switch (value._tag) {
    case 'Folder':
      return " -a '(__fish_complete_directories (commandline -ct))'"
    case 'Text':
      return ''
    case 'Words':
      return ` -a ${quoteText(value.words.join(' '))}`
  }
}

const nameArgument = (name: string): string =>
  name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`

const optionLine = (at: string, { names, value, description }: OptionWords): string => {
  const taken = value === null ? '' : ` -x${valueArgument(value)}`
  return `${at}${names.map(nameArgument).join('')}${taken} -d ${quoteText(description)}`
}

const commandLines = ({ place, command }: PlacedCommand): ReadonlyArray<string> => {
  const at = `complete -c kronika -n ${quoteText(`__kronika_at ${quoteText(place)}`)}`
  return [
    ...command.commands.map(({ name, description }) => `${at} -a ${name} -d ${quoteText(description)}`),
    ...command.options.map(option => optionLine(at, option)),
    ...command.values.flatMap(value => (value._tag === 'Text' ? [] : [`${at}${valueArgument(value)}`])),
  ]
}

const scripts: { readonly [S in Shell]: (program: CommandWords) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
