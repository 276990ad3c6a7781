import type { SearchText, TextCut, TextGroup } from './text-group.js'

/** A group ends before a further text once its texts have this many characters together, or are this many. */
const groupCharsMin = 262_144
const groupTextsMax = 32

/** Gathers texts and cuts into groups. */
export interface TextGrouping {
  /** Adds a cut of a text. Yields the group before where it is full and has not the text. */
  readonly add: (text: SearchText, cut: (at: number) => TextCut) => Iterable<TextGroup>
  /** Yields the last group, unless it is empty. */
  readonly rest: () => Iterable<TextGroup>
}

export const groupTexts = (): TextGrouping => {
  let texts: Array<SearchText> = []
  let cuts: Array<TextCut> = []
  let placeOf = new Map<string, number>()
  let chars = 0
  const take = (): ReadonlyArray<TextGroup> => {
    if (cuts.length === 0) return []
    const group = { texts, cuts }
    texts = []
    cuts = []
    placeOf = new Map()
    chars = 0
    return [group]
  }
  return {
    add: (text, cut) => {
      const { path, text: written } = text.file
      const isFull = chars >= groupCharsMin || texts.length >= groupTextsMax
      const full = isFull && !placeOf.has(path) ? take() : []
      const at = placeOf.get(path) ?? texts.length
      if (at === texts.length) {
        texts.push(text)
        placeOf.set(path, at)
        chars += written.length
      }
      cuts.push(cut(at))
      return full
    },
    rest: take,
  }
}
