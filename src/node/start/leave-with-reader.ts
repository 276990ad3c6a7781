import { exitCodes } from '#protocol/exit-code.js'

/**
 * Ends the process without a message when the reader of its output closed it (`| head`). For the `error`
 * event of stdout and stderr; any other error of theirs is still a fault.
 */
export const leaveWithReader = (error: Error): void => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.readerLeft)
  throw error
}
