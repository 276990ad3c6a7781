import type { Figure } from '../figure.js'
import { cloneTwice } from '../two-clones.js'
import { chatAnswerFigures } from './answers.js'
import { backlogFigures } from './backlog.js'
import { prepareChatWorld } from './chat-world.js'
import { closeConnections } from './forward.js'
import { startPlatform } from './platform.js'
import { receiptFigures } from './receipts.js'

/** Dispatch and delivery against a platform that answers at once. The worlds themselves are not changed. */
export const chatFigures = async (
  folder: string,
  one: string,
  ten: string,
): Promise<ReadonlyArray<Figure>> => {
  const platform = await startPlatform()
  try {
    const { mine } = await cloneTwice(folder, 'chat', one)
    await prepareChatWorld(mine, platform.url)
    return [
      ...(await receiptFigures(folder, ten, platform.url)),
      ...(await backlogFigures(folder, mine)),
      ...(await chatAnswerFigures(folder, mine, platform)),
    ]
  } finally {
    closeConnections()
    await platform.close()
  }
}
