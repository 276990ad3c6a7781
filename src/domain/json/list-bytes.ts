import { applyWindow, type Window, type Windowed } from '#protocol/list.js'
import { mapInSlices, type Sliced, units } from '#src/domain/slicing/sliced.js'

const comma = Buffer.from(',')

/** The items of `all` in the window, each changed by `change`. Yields between them. */
export const renderPageInSlices = function* <A, B>(
  all: ReadonlyArray<A>,
  window: Window,
  change: (item: A) => B,
): Sliced<Windowed<B>> {
  const page = applyWindow(all, window)
  const items = yield* mapInSlices(page.items, change)
  yield items.length * units.row
  return { ...page, items }
}

/** Bytes and rows rendered between two yields. */
const sliceBytes = 128 * 1024
const rowsPerSlice = 16

/**
 * The list envelope (A 2.1) as JSON around the fragments of the items in the window (D16), each in parts.
 * Yields between fragments and where they yield; joining them is one copy.
 */
export const renderListInSlices = function* <A>(
  all: ReadonlyArray<A>,
  window: Window,
  fragmentOf: (item: A) => Sliced<ReadonlyArray<Buffer>>,
): Sliced<Buffer> {
  const { count, items, ...echoes } = applyWindow(all, window)
  const parts: Array<Buffer> = [Buffer.from(`{"count":${count},"items":[`)]
  let bytes = 0
  for (const [at, item] of items.entries()) {
    if (at > 0) parts.push(comma)
    for (const part of yield* fragmentOf(item)) {
      parts.push(part)
      bytes += part.length
    }
    if (at % rowsPerSlice !== rowsPerSlice - 1 && bytes < sliceBytes) continue
    yield Math.ceil((bytes * units.kibibyte) / 1024)
    bytes = 0
  }
  yield items.length * units.row
  parts.push(Buffer.from(window.named ? `],${JSON.stringify(echoes).slice(1)}` : ']}'))
  return Buffer.concat(parts)
}
