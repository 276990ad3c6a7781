import { nameKey } from '#protocol/atoms.js'
import { tagOf } from '#src/domain/lore/rows/rows.js'
import {
  type BlockHead,
  type PointsLine,
  readPointsLine,
  readTransferLine,
  type TransferLine,
} from '#src/domain/lore/session-lines.js'
import { isTopicTag, quotableLine, withheldLine } from '#src/domain/lore/withheld-tags.js'
import { pointsKey } from '../list-items.js'
import type { SessionChange, SessionIntel, SessionPoints, SessionTransfer } from '../session.js'
import type { Item } from './item-tree.js'

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

const trailing = new Set(['>', ')', ',', '.'])

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

const none = /^(?:brak|-)?\.?$/iu

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

const nameOf = (text: string): string => (text.endsWith(':') ? text.slice(0, -1) : text).trim()

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
    notice(
      'MalformedTransfer',
      line,
      `Wiersz nie jest transferem: „${quotableLine(text)}”.`,
      'Zapisz go w postaci „N nominał, od kogo -> do kogo”.',
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
