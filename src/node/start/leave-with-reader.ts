import { exitCodes } from '#protocol/exit-code.js'

/**
 * Ends the process in silence when whoever read its output closed it (`| head`): what is left to say has no hearer.
 * For the `error` event of stdout and stderr; every other error of theirs stays a fault.
 */
export const leaveWithReader = (error: Error): void => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.readerLeft)
  throw error
}
