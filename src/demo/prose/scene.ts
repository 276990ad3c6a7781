import { type Template, template } from '../template.js'

/**
 * What can happen in a session: `open` sets the scene, `next` continues it. Slots: A, B, C are heroes, N and
 * M others, L and K places, G and H groups, I an item. A leading `^` allows an adverbial before the sentence.
 */
export interface Scene {
  readonly open: ReadonlyArray<Sentence>
  readonly next: ReadonlyArray<Sentence>
}

export interface Sentence {
  readonly id: string
  readonly template: Template
  readonly leads: boolean
}

const sentences = (key: string, texts: ReadonlyArray<string>): ReadonlyArray<Sentence> =>
  texts.map((text, at) => ({
    id: `${key}${at}`,
    template: template(text.startsWith('^') ? text.slice(1) : text),
    leads: text.startsWith('^'),
  }))

export const scene = (key: string, open: ReadonlyArray<string>, next: ReadonlyArray<string>): Scene => ({
  open: sentences(`${key}.o`, open),
  next: sentences(`${key}.n`, next),
})
