import { runCommand } from './daemon.js'

/** What the help of a command lists. */
export interface Help {
  /** The words of the command; none: the program itself. */
  readonly command: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
  readonly options: ReadonlyArray<string>
}

/** The first column of a section of a help text, without what stands for values. */
const namesIn = (help: string, title: string): ReadonlyArray<string> => {
  const [section = ''] = help.split(`\n${title}:\n`)[1]?.split('\n\n') ?? []
  return section
    .split('\n')
    .filter(line => line.startsWith('  ') && line[2] !== ' ')
    .flatMap(line => (line.trim().split('  ')[0] ?? '').split(', '))
    .map(text => text.split(' ')[0] ?? '')
}

/** What `--help` of the built program and of every command below it lists. */
export const readHelp = async (command: ReadonlyArray<string> = []): Promise<ReadonlyArray<Help>> => {
  const { stdout } = await runCommand([...command, '--help'])
  const commands = namesIn(stdout, 'Commands')
  const below = commands.filter(name => name !== 'help').map(name => readHelp([...command, name]))
  return [{ command, commands, options: namesIn(stdout, 'Options') }, ...(await Promise.all(below)).flat()]
}
