import { valueCases } from './cases.js'
import {
  type CommandWords,
  type OptionWords,
  type PlacedCommand,
  placeCommands,
  type WordValue,
} from './command-words.js'

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
