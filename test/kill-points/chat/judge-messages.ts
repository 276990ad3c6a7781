import type { ChatLedger } from './chat-ledger.js'
import type { KillChat } from './chat-platform.js'
import type { DeliveryColumns } from './chat-rows.js'

/** What messages are held against. */
export interface MessageFrame {
  /** The rows in the order in which they were queued. */
  readonly rows: ReadonlyArray<DeliveryColumns>
  readonly platform: Pick<KillChat, 'messages' | 'countPosts'>
  /** How often a daemon was killed since the last check. */
  readonly kills: number
  /** How many answers of the platform were lost since then. */
  readonly lost: number
}

const rowViolations = (
  { text, status, attempts, nonce, message_id: id }: DeliveryColumns,
  { platform, kills, lost }: MessageFrame,
): ReadonlyArray<string> => {
  const there = platform.messages.find(message => message.nonce === nonce)
  const posts = platform.countPosts(nonce)
  const postsMax = 1 + kills + lost
  return [
    ...(status === 'sent' ? [] : [`"${text}" is ${status}`]),
    ...(there?.content === text ? [] : [`"${text}" was not sent with its nonce`]),
    ...(there?.id === id ? [] : [`"${text}" has the id ${id}, and the platform has ${there?.id ?? 'none'}`]),
    ...(posts >= 1 && posts <= postsMax ? [] : [`"${text}" was posted ${posts} times, not 1 to ${postsMax}`]),
    // The courier may call again within an attempt whose answer was lost.
    ...(posts <= attempts + lost ? [] : [`"${text}" was posted ${posts} times in ${attempts} attempts`]),
  ]
}

/** Where a message that was taken is not in the channel once, or one is there twice or out of order. */
export const messageViolations = ({ messages }: ChatLedger, frame: MessageFrame): ReadonlyArray<string> => {
  const { rows, platform } = frame
  const there = platform.messages.map(({ content }) => content)
  const queued = [...new Set(rows.map(({ nonce }) => nonce))]
  const inOrder = platform.messages.flatMap(({ nonce }) => (queued.includes(nonce ?? '') ? [nonce] : []))
  return [
    ...rows.flatMap(row => rowViolations(row, frame)),
    ...messages.flatMap(({ text, isAccepted, isAged }) => {
      const count = there.filter(content => content === text).length
      const isKept = rows.some(row => row.text === text)
      return [
        ...(count > 1 ? [`"${text}" is in the channel ${count} times`] : []),
        ...(isAccepted && count === 0 ? [`"${text}" was taken and is not in the channel`] : []),
        ...(isAccepted && !isAged && !isKept ? [`"${text}" was taken and is not on record`] : []),
        ...(isAged && isKept ? [`"${text}" is on record behind its time`] : []),
      ]
    }),
    ...(inOrder.join() === queued.join() ? [] : ['the channel has another order']),
  ]
}
