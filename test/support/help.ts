import { runCommand } from './daemon.js'

/** What the help of a command lists. */
export interface Help {
  /** The words of the command; empty for the program itself. */
  readonly command: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
  readonly options: ReadonlyArray<string>
}

/** The first column of a section of a help text, without the placeholders of values. */
const namesIn = (help: string, title: string): ReadonlyArray<string> => {
  const [section = ''] = help.split(`\n${title}:\n`)[1]?.split('\n\n') ?? []
  return section
    .split('\n')
    .filter(line => line.startsWith('  ') && line[2] !== ' ')
    .flatMap(line => (line.trim().split('  ')[0] ?? '').split(', '))
    .map(text => text.split(' ')[0] ?? '')
}

/** Reads what `--help` lists, of the built program and of every command below it. */
export const readHelp = async (command: ReadonlyArray<string> = []): Promise<ReadonlyArray<Help>> => {
  const { stdout } = await runCommand([...command, '--help'])
  const commands = namesIn(stdout, 'Commands')
  const below = commands.filter(name => name !== 'help').map(name => readHelp([...command, name]))
  return [{ command, commands, options: namesIn(stdout, 'Options') }, ...(await Promise.all(below)).flat()]
}
