import { parseJson } from './json-text.js'

/**
 * Sets `name` of the object `section` of a JSON object to a text, and keeps every other byte. The text must be
 * valid JSON by `readJson`, its root an object, and the section, where it is there, an object too.
 */
export const setMember = (text: string, section: string, name: string, value: string): string => {
  const rootAt = skipBlanks(text, 0)
  const member = `${JSON.stringify(name)}: ${JSON.stringify(value)}`
  const found = membersAt(text, rootAt).find(({ key }) => key === section)
  if (found === undefined) return addSection(text, rootAt, section, member)
  const old = membersAt(text, found.valueAt).find(({ key }) => key === name)
  return old === undefined
    ? addMember(text, found.valueAt, member)
    : replaceIn(text, old.valueAt, old.valueEnd, JSON.stringify(value))
}

/**
 * Sets a member of the root of a JSON object to a value, and keeps every other byte. The text must be valid JSON by
 * `readJson`, its root an object. A new member goes behind the last one.
 */
export const setRootMember = (text: string, name: string, value: unknown): string => {
  const rootAt = skipBlanks(text, 0)
  const members = membersAt(text, rootAt)
  const old = members.find(({ key }) => key === name)
  const json = JSON.stringify(value)
  if (old !== undefined) return replaceIn(text, old.valueAt, old.valueEnd, json)
  const [first, last] = [members[0], members.at(-1)]
  const lead = first === undefined ? '' : text.slice(rootAt + 1, first.keyAt)
  const member = `${last === undefined ? '' : `,${lead}`}${JSON.stringify(name)}:${json}`
  const at = last?.valueEnd ?? rootAt + 1
  return replaceIn(text, at, at, member)
}

/** A member of an object in a JSON text, by offsets; `valueEnd` is exclusive. */
interface Member {
  readonly key: unknown
  readonly keyAt: number
  readonly valueAt: number
  readonly valueEnd: number
}

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const skipBlanks = (text: string, at: number): number => matchEnd(/[ \t\r\n]*/y, text, at)
const skipQuotes = (text: string, at: number): number => matchEnd(/"[^"\\]*(?:\\.[^"\\]*)*"/y, text, at)

const skipNested = (text: string, from: number): number => {
  let [at, depth] = [from, 0]
  do {
    const sign = text[at]
    if (sign === '{' || sign === '[') depth += 1
    if (sign === '}' || sign === ']') depth -= 1
    at = sign === '"' ? skipQuotes(text, at) : at + 1
  } while (depth > 0 && at < text.length)
  return at
}

const skipValue = (text: string, at: number): number => {
  if (text[at] === '"') return skipQuotes(text, at)
  return text[at] === '{' || text[at] === '[' ? skipNested(text, at) : matchEnd(/[^,\]}\s]*/y, text, at)
}

/** The members of the object that begins at an offset. */
const membersAt = (text: string, objectAt: number): ReadonlyArray<Member> => {
  const members: Array<Member> = []
  let at = skipBlanks(text, objectAt + 1)
  while (text[at] === '"') {
    const keyEnd = skipQuotes(text, at)
    const valueAt = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
    const valueEnd = skipValue(text, valueAt)
    members.push({ key: parseJson(text.slice(at, keyEnd)), keyAt: at, valueAt, valueEnd })
    const next = skipBlanks(text, valueEnd)
    at = text[next] === ',' ? skipBlanks(text, next + 1) : next
  }
  return members
}

const replaceIn = (text: string, from: number, to: number, part: string): string =>
  text.slice(0, from) + part + text.slice(to)

/** Adds a member after the last one, with the blanks that the first one has before it. */
const addMember = (text: string, objectAt: number, member: string): string => {
  const members = membersAt(text, objectAt)
  const [first, last] = [members[0], members.at(-1)]
  if (first === undefined || last === undefined)
    return replaceIn(text, objectAt + 1, skipBlanks(text, objectAt + 1), member)
  const lead = text.slice(objectAt + 1, first.keyAt)
  return replaceIn(text, last.valueEnd, last.valueEnd, `,${lead === '' ? ' ' : lead}${member}`)
}

/** A new section with one member, on lines of its own where the members of the root are. */
const addSection = (text: string, rootAt: number, section: string, member: string): string => {
  const [first] = membersAt(text, rootAt)
  const lead = first === undefined ? '\n  ' : text.slice(rootAt + 1, first.keyAt)
  const lineEnd = lead.includes('\r\n') ? '\r\n' : '\n'
  if (!lead.includes('\n')) return addMember(text, rootAt, `${JSON.stringify(section)}: {${member}}`)
  const indent = lead.slice(lead.lastIndexOf('\n') + 1)
  const inner = `${lineEnd}${indent}${indent}${member}${lineEnd}${indent}`
  const whole = `${JSON.stringify(section)}: {${inner}}`
  return addMember(text, rootAt, first === undefined ? `${lead}${whole}${lineEnd}` : whole)
}
