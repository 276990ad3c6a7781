const nameCharsMax = 400
const targetCharsMax = 1000

/** A `[name](target)` as written, with its offsets in the text. */
export interface Link {
  readonly name: string
  readonly target: string
  readonly from: number
  readonly to: number
}

/**
 * The first `[name](target)` of a text; null when there is none. Searches from each `](` outwards, so the
 * time is linear in the text, however many brackets are open in it.
 */
export const linkIn = (text: string): Link | null => {
  for (let middle = text.indexOf(']('); middle !== -1; middle = text.indexOf('](', middle + 2)) {
    const behind = text.lastIndexOf(']', middle - 1) + 1
    const before = text.slice(Math.max(behind, middle - nameCharsMax - 1), middle)
    const after = text.slice(middle + 2, middle + 2 + targetCharsMax + 1)
    const [open, close] = [before.indexOf('['), after.indexOf(')')]
    const name = before.slice(open + 1)
    if (open !== -1 && name !== '' && close !== -1)
      return { name, target: after.slice(0, close), from: middle - name.length - 1, to: middle + close + 3 }
  }
  return null
}
