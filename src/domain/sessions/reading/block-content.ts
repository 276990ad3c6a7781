import { nameKey } from '#protocol/atoms.js'
import { decimalKey, readDecimal } from '#src/domain/lore/figures.js'
import type { Line } from '#src/domain/lore/lines.js'
import { tagOf } from '#src/domain/lore/rows/rows.js'
import {
  type BlockHead,
  type PointsLine,
  readPointsLine,
  readTransferLine,
  type TransferLine,
} from '#src/domain/lore/session-header.js'
import { isTopicTag, quotableLine, withheldLine } from '#src/domain/lore/topic-text.js'
import type { ChangedTag, SessionChange, SessionIntel, SessionPoints, SessionTransfer } from '../session.js'

/** How the lines of PU and Transfer are read, and whether two lists of one kind repeat or add to each other. */
export interface Grammar {
  readonly points: (text: string) => PointsLine
  readonly transfer: (text: string) => TransferLine | null
  readonly lists: 'repeat' | 'add'
}

export const grammar: Grammar = { points: readPointsLine, transfer: readTransferLine, lists: 'repeat' }

/** Reports content of a block that cannot be parsed, with its line. */
export type Notice = (
  kind:
    | 'MalformedPoints'
    | 'DuplicatePoints'
    | 'DifferingPoints'
    | 'RepeatedBlock'
    | 'MalformedChange'
    | 'MalformedTransfer'
    | 'MalformedIntel'
    | 'MalformedLog',
  line: number,
  reason: string,
  suggestion: string,
) => void

/** The parts of a comma list, without empty ones. */
export const splitList = (text: string): ReadonlyArray<string> =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** The names of a block: its children, or without children the comma list after the colon. */
export const namesOf = (head: BlockHead, item: Item): ReadonlyArray<string> =>
  item.children.length > 0
    ? item.children.map(child => child.text.trim()).filter(text => text !== '')
    : splitList(head.inline)

/** The first URL in a text, without trailing punctuation; null when there is none. */
export const addressIn = (text: string): string | null => {
  const found = /https?:\/\/\S+/iu.exec(text)?.[0]
  if (found === undefined) return null
  let end = found.length
  while (trailing.has(found.charAt(end - 1))) end -= 1
  return found.slice(0, end)
}

export const logsOf = (head: BlockHead, item: Item, notice: Notice): ReadonlyArray<string> => {
  const logs: Array<string> = []
  for (const child of item.children) {
    const address = addressIn(child.text)
    if (address !== null) logs.push(address)
    else if (!/^(?:brak|-)\.?$/iu.test(child.text))
      notice(
        'MalformedLog',
        child.line,
        'Wiersz bloku Logi nie zawiera adresu.',
        'Wpisz https://… albo usuń wiersz.',
      )
  }
  const inline = addressIn(head.inline)
  return inline === null ? logs : [...logs, inline]
}

export const pointsOf = (
  head: BlockHead,
  item: Item,
  notice: Notice,
  { points: readLine }: Grammar,
): ReadonlyArray<SessionPoints> => {
  const points: Array<SessionPoints> = []
  const lines = [...item.children]
  if (!none.test(head.inline)) {
    const inline = readLine(head.inline)
    if (lines.length === 0 && inline.value !== null) lines.push({ ...item, text: head.inline })
    else
      notice(
        'MalformedPoints',
        item.line,
        'PU po dwukropku nie są czytane.',
        'Zapisz każdą postać w osobnym wierszu poniżej.',
      )
  }
  for (const { text, line } of lines) {
    const { character, value } = readLine(text)
    if (value === null)
      notice(
        'MalformedPoints',
        line,
        `Wiersz PU nie podaje liczby: „${quotableLine(text)}”.`,
        'Zapisz „- Nazwa: 0,3”; uwagę dopisz po odstępie, na przykład „0,3 (za finał)”.',
      )
    points.push({ character, value, line })
  }
  return points
}

/** Reports the characters that a session gives PU more than once, at the line of each repeat. */
export const noticeRepeatedPoints = (points: ReadonlyArray<SessionPoints>, notice: Notice): void => {
  const first = new Map<string, SessionPoints>()
  for (const one of points) {
    const key = nameKey(one.character)
    const known = first.get(key)
    first.set(key, known ?? one)
    if (known === undefined) continue
    const { character, line, value } = one
    if (pointsKey(known) === pointsKey(one))
      notice(
        'DuplicatePoints',
        line,
        `„${character}” ma PU w tej sesji więcej niż raz.`,
        'Zostaw jeden z wierszy.',
      )
    else
      notice(
        'DifferingPoints',
        line,
        `„${character}” ma w tej sesji różne PU: ${known.value ?? 'bez liczby'} i ${value ?? 'bez liczby'}.`,
        'Zostaw jeden z wierszy; do tego czasu cały miesiąc tej sesji nie zostanie rozliczony.',
      )
  }
}

export const changesOf = (item: Item, notice: Notice): ReadonlyArray<SessionChange> =>
  item.children.flatMap(child => {
    const tags = child.children.flatMap(({ text, line, children }) => {
      const tag = tagOf(text)
      if (tag === null)
        notice(
          'MalformedChange',
          line,
          `Wiersz nie jest znacznikiem: „${quotableLine(text)}”.`,
          'Zapisz „- @znacznik: wartość”.',
        )
      for (const below of children) {
        const said = tag !== null && isTopicTag(tag.tag) ? withheldLine : quotableLine(below.text)
        notice(
          'MalformedChange',
          below.line,
          `Wiersz pod znacznikiem nie jest czytany: „${said}”.`,
          'Zapisz go w kolumnie pozostałych znaczników jako „- @znacznik: wartość”.',
        )
      }
      return tag === null ? [] : [{ ...tag, line }]
    })
    if (tags.length > 0) return [{ entity: nameOf(child.text), tags, line: child.line }]
    notice(
      'MalformedChange',
      child.line,
      `Pod wierszem nie ma znaczników: „${quotableLine(child.text)}”.`,
      'Dopisz pod nim „- @znacznik: wartość”.',
    )
    return []
  })

export const transfersOf = (
  head: BlockHead,
  item: Item,
  notice: Notice,
  { transfer: readLine }: Grammar,
): ReadonlyArray<SessionTransfer> => {
  const inline = head.inline === '' ? [] : [{ text: head.inline, line: item.line }]
  return [...inline, ...item.children].flatMap(({ text, line }) => {
    const transfer = readLine(text)
    if (transfer !== null) return [{ ...transfer, line }]
    const isBroken = /^\s*\d+\s*[.,/]\s*\d/u.test(text)
    const fault = isBroken ? 'Kwota transferu musi być liczbą całkowitą' : 'Wiersz nie jest transferem'
    const form = '„N nominał, od kogo -> do kogo”'
    notice(
      'MalformedTransfer',
      line,
      `${fault}: „${quotableLine(text)}”.`,
      isBroken ? `Resztę zapisz osobno, w mniejszym nominale: ${form}.` : `Zapisz go w postaci ${form}.`,
    )
    return []
  })
}

export const intelOf = (item: Item, notice: Notice): ReadonlyArray<SessionIntel> =>
  item.children.flatMap(({ text, line }) => {
    const colon = text.indexOf(':')
    const [target, message] = [text.slice(0, Math.max(colon, 0)).trim(), text.slice(colon + 1).trim()]
    if (colon > 0 && target !== '' && message !== '') return [{ target, message, line }]
    notice(
      'MalformedIntel',
      line,
      `Wiersz nie jest wpisem bloku Intel: „${quotableLine(text)}”.`,
      'Zapisz „- adresat: wiadomość”.',
    )
    return []
  })

/**
 * Whether a head without a colon still begins a block: only when everything below it parses as that block
 * (FORMATS 4.3), so that prose such as "Zmiany w mieście" stays prose.
 */
export const fitsBlock = (head: BlockHead, item: Item, { points, transfer }: Grammar): boolean => {
  const { children } = item
  switch (head.kind) {
    case 'Transfer':
      return children.length === 0 && transfer(head.inline) !== null
    case 'Points':
      return children.length > 0 && children.every(child => points(child.text).value !== null)
    case 'Changes':
      return (
        children.length > 0 &&
        children.every(
          child => child.children.length > 0 && child.children.every(one => tagOf(one.text) !== null),
        )
      )
    case 'Logs':
      return [head.inline, ...children.map(child => child.text)].some(text => addressIn(text) !== null)
    case 'Intel':
      return children.length > 0 && children.every(child => child.text.indexOf(':') > 0)
    case 'Locations':
    case 'Participants':
    case 'Preserved':
      return children.length > 0
  }
}

/** Items of the lists of a session: which of them are equal, and what several lists of one kind say together. */

/** A PU value without zeros that do not count, so that `0,3` and `0.30` are equal; empty without a value. */
export const pointsValueKey = (value: string | null): string => {
  const decimal = value === null ? null : readDecimal(value, 'none')
  return decimal === null ? '' : decimalKey(decimal)
}

export const pointsKey = ({ character, value }: Pick<SessionPoints, 'character' | 'value'>): string =>
  `${nameKey(character)}\n${pointsValueKey(value)}`

export const transferKey = (one: Omit<SessionTransfer, 'line'>): string =>
  [one.amount, nameKey(one.denomination), nameKey(one.source), nameKey(one.destination)].join('\n')

/**
 * The items of several lists, each as often as in the list that has it most often: a second list repeats the first,
 * while an item that one list has twice counts twice (docs/spec/lore-session-blocks.md#two-lists).
 */
export const mostRepeated = <A>(
  lists: ReadonlyArray<ReadonlyArray<A>>,
  key: (item: A) => string,
): ReadonlyArray<A> => {
  if (lists.length < 2) return lists[0] ?? []
  const taken = new Map<string, number>()
  return lists.flatMap(list => {
    const seen = new Map<string, number>()
    return list.filter(item => {
      const id = key(item)
      const nth = (seen.get(id) ?? 0) + 1
      seen.set(id, nth)
      if (nth <= (taken.get(id) ?? 0)) return false
      taken.set(id, nth)
      return true
    })
  })
}

/** The tags of several lists of Zmiany, each as often as in the list that has it most often. */
export const mergeChanges = (
  lists: ReadonlyArray<ReadonlyArray<SessionChange>>,
): ReadonlyArray<SessionChange> => {
  if (lists.length < 2) return lists[0] ?? []
  const stated = mostRepeated(
    lists.map(list => list.flatMap(change => change.tags.map((tag): Stated => ({ change, tag })))),
    ({ change, tag }) => `${nameKey(change.entity)}\n${tag.tag}\n${tag.value}`,
  )
  const changes = new Map<SessionChange, Array<ChangedTag>>()
  for (const { change, tag } of stated) {
    const tags = changes.get(change)
    if (tags === undefined) changes.set(change, [tag])
    else tags.push(tag)
  }
  return [...changes].map(([change, tags]) => ({ ...change, tags }))
}

/** A list item with the items below it. Indented lines that are no items continue its text (FORMATS 0). */
export interface Item {
  readonly text: string
  readonly line: number
  readonly children: ReadonlyArray<Item>
}

/**
 * The tree of a root item and the lines below it. The parent of an item is the nearest one before it with a
 * smaller indent.
 */
export const itemTree = (lines: ReadonlyArray<Line>): Item | null => {
  const [first] = lines
  if (first === undefined || first._tag !== 'Item') return null
  const root: Growing = { text: first.text, line: first.number, indent: first.indent, children: [] }
  const path: Array<Growing> = [root]
  let last = root
  for (const line of lines.slice(1)) {
    if (line._tag === 'Text') last.text = `${last.text}\n${line.text}`
    if (line._tag !== 'Item') continue
    while (path.length > 1 && (path.at(-1)?.indent ?? 0) >= line.indent) path.pop()
    last = { text: line.text, line: line.number, indent: line.indent, children: [] }
    path.at(-1)?.children.push(last)
    path.push(last)
  }
  return root
}

const trailing = new Set(['>', ')', ',', '.'])

const none = /^(?:brak|-)?\.?$/iu

const nameOf = (text: string): string => (text.endsWith(':') ? text.slice(0, -1) : text).trim()

interface Stated {
  readonly change: SessionChange
  readonly tag: ChangedTag
}

interface Growing {
  text: string
  readonly line: number
  readonly indent: number
  readonly children: Array<Growing>
}
