/** The parser of the command line: the one file that names its package. */
export { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
