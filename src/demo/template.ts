import type { Chance } from './chance.js'
import {
  type Gender,
  type GrammarCase,
  grammarCases,
  type Paradigm,
  past,
  withW,
  withZ,
} from './names/grammar.js'

/**
 * A sentence with slots. Text outside braces is literal; `<a|b>` is one of the alternatives. `{A}` and
 * `{A.gen}` are the name of cast member A in a case; `{A:stanął}` is a past tense and `{A~sam/sama/samo}` a
 * word that agree with A; `{A+B~wrócili/wróciły}` agrees with both; `{w L}`, `{do L}`, `{z L}` are place,
 * direction and origin; `{ze A}` is "with A".
 */
export type TemplatePart =
  | { readonly _tag: 'Text'; readonly text: string }
  | { readonly _tag: 'Choice'; readonly of: ReadonlyArray<ReadonlyArray<TemplatePart>> }
  | {
      readonly _tag: 'Name'
      readonly slot: string
      readonly at: GrammarCase
      readonly before: 'w' | 'do' | 'z' | 'ze' | null
    }
  | { readonly _tag: 'Verb'; readonly slot: string; readonly verb: string }
  | { readonly _tag: 'Agree'; readonly slots: ReadonlyArray<string>; readonly words: ReadonlyArray<string> }

export type Template = ReadonlyArray<TemplatePart>

/** A cast member: the full name, the name after the first mention, and the preposition of a place. */
export interface Role {
  readonly full: Paradigm
  readonly short: Paradigm
  readonly prep: 'w' | 'na'
}

export type Cast = Readonly<Record<string, Role>>

const isCase = (text: string): text is GrammarCase => grammarCases.some(known => known === text)

const placed = { w: 'loc', do: 'gen', z: 'gen', ze: 'ins' } as const

const slotPart = (inside: string): TemplatePart => {
  const [left = '', ...words] = inside.split('~')
  if (words.length > 0) return { _tag: 'Agree', slots: left.split('+'), words: words.join('~').split('/') }
  const verb = /^(\w):(.+)$/u.exec(inside)
  if (verb !== null) return { _tag: 'Verb', slot: verb[1] ?? '', verb: verb[2] ?? '' }
  const place = /^(w|do|z|ze) (\w)$/u.exec(inside)
  if (place !== null) {
    const before = place[1] === 'w' || place[1] === 'do' || place[1] === 'z' ? place[1] : 'ze'
    return { _tag: 'Name', slot: place[2] ?? '', at: placed[before], before }
  }
  const [slot = '', at = 'nom'] = inside.split('.')
  if (!isCase(at) || !/^\w$/u.test(slot)) throw new Error(`no slot: {${inside}}`)
  return { _tag: 'Name', slot, at, before: null }
}

/** Splits at `|` outside braces. */
const alternatives = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = ['']
  let deep = 0
  for (const sign of text) {
    if (sign === '{') deep += 1
    if (sign === '}') deep -= 1
    if (sign === '|' && deep === 0) found.push('')
    else found[found.length - 1] = `${found[found.length - 1] ?? ''}${sign}`
  }
  return found
}

/**
 * Parses a template; a line break in it counts as a blank. Throws on an unknown slot, so that a bad table
 * fails when it is loaded.
 */
export const template = (text: string): Template => {
  const parts: Array<TemplatePart> = []
  for (const found of text.replace(/(?<!\s)\s*\n\s*/gu, ' ').matchAll(/<([^>]*)>?|\{([^}]*)\}?|[^<{]+/gu)) {
    if (found[1] !== undefined) parts.push({ _tag: 'Choice', of: alternatives(found[1]).map(template) })
    else if (found[2] !== undefined) parts.push(slotPart(found[2]))
    else parts.push({ _tag: 'Text', text: found[0] })
  }
  return parts
}

/** Which cast members a text has named: the second mention in a paragraph uses the short name. */
export interface Mentions {
  readonly told: Set<string>
}

const roleOf = (cast: Cast, slot: string): Role => {
  const role = cast[slot]
  if (role === undefined) throw new Error(`nobody is cast as ${slot}`)
  return role
}

const nameRole = (role: Role, slot: string, at: GrammarCase, mentions: Mentions): string => {
  const known = mentions.told.has(slot)
  mentions.told.add(slot)
  return (known ? role.short : role.full).forms[at]
}

const nameText = (part: TemplatePart & { readonly _tag: 'Name' }, cast: Cast, mentions: Mentions): string => {
  const role = roleOf(cast, part.slot)
  const at = part.before === 'do' && role.prep === 'na' ? 'acc' : part.at
  const name = nameRole(role, part.slot, at, mentions)
  switch (part.before) {
    case null:
      return name
    case 'w':
      return role.prep === 'na' ? `na ${name}` : withW(name)
    case 'do':
      return role.prep === 'na' ? `na ${name}` : `do ${name}`
    case 'z':
    case 'ze':
      return withZ(name)
  }
}

const genderAt = (gender: Gender): number =>
  gender === 'feminine' ? 1 : gender === 'neuter' ? 2 : gender === 'plural' ? 3 : 0

const agreeForm = (part: TemplatePart & { readonly _tag: 'Agree' }, cast: Cast): string => {
  const genders = part.slots.map(slot => roleOf(cast, slot).full.gender)
  const at = part.slots.length > 1 ? (genders.includes('person') ? 0 : 1) : genderAt(genders[0] ?? 'person')
  const word = part.words[at]
  if (word === undefined) throw new Error(`no word for that gender: ${part.words.join('/')}`)
  return word
}

const partText = (part: TemplatePart, cast: Cast, mentions: Mentions, chance: Chance): string => {
  switch (part._tag) {
    case 'Text':
      return part.text
    case 'Choice':
      return chance
        .pick(part.of)
        .map(inner => partText(inner, cast, mentions, chance))
        .join('')
    case 'Name':
      return nameText(part, cast, mentions)
    case 'Verb':
      return past(part.verb, roleOf(cast, part.slot).full.gender)
    case 'Agree':
      return agreeForm(part, cast)
  }
}

/** Capitalizes the first letter, also after an opening quotation mark. */
export const capitalise = (text: string): string =>
  text.replace(/^(„?)(.)/u, (_, quote: string, letter: string) => quote + letter.toUpperCase())

/** The sentence with its slots filled. */
export const renderTemplate = (of: Template, cast: Cast, mentions: Mentions, chance: Chance): string =>
  capitalise(of.map(part => partText(part, cast, mentions, chance)).join(''))
