import { type Window, windowed } from '#protocol/list.js'
import type { Sliced } from './sliced.js'

const comma = Buffer.from(',')

/** Bytes rendered between two rests. */
const sliceBytes = 128 * 1024

/**
 * The list envelope (A 2.1) as JSON, around the fragments of the items that the window takes of `all` (D16). Rests
 * while the fragments are made; joining them is one copy.
 */
export const slicedListBytes = function* <A>(
  all: ReadonlyArray<A>,
  window: Window,
  fragmentOf: (item: A) => Buffer,
): Sliced<Buffer> {
  const { count, items, ...echoes } = windowed(all, window)
  const parts: Array<Buffer> = [Buffer.from(`{"count":${count},"items":[`)]
  let bytes = 0
  for (const [at, item] of items.entries()) {
    if (at > 0) parts.push(comma)
    const fragment = fragmentOf(item)
    parts.push(fragment)
    bytes += fragment.length
    if (bytes < sliceBytes) continue
    bytes = 0
    yield
  }
  parts.push(Buffer.from(window.named ? `],${JSON.stringify(echoes).slice(1)}` : ']}'))
  return Buffer.concat(parts)
}
