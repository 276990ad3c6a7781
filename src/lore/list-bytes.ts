import { type Window, windowed } from '#protocol/list.js'

const comma = Buffer.from(',')

/** The list envelope (A 2.1) as JSON, around the fragments of the items that the window takes of `all` (D16). */
export const listBytes = <A>(
  all: ReadonlyArray<A>,
  window: Window,
  fragmentOf: (item: A) => Buffer,
): Buffer => {
  const { count, items, ...echoes } = windowed(all, window)
  const parts: Array<Buffer> = [Buffer.from(`{"count":${count},"items":[`)]
  for (const [at, item] of items.entries()) {
    if (at > 0) parts.push(comma)
    parts.push(fragmentOf(item))
  }
  parts.push(Buffer.from(window.named ? `],${JSON.stringify(echoes).slice(1)}` : ']}'))
  return Buffer.concat(parts)
}
