import type { Chance } from '../chance.js'
import type { Scene, Sentence } from '../prose/scene.js'
import { chase, discovery, ending, fight, inquiry } from '../prose/scenes-deeds.js'
import { arrival, night, road } from '../prose/scenes-travel.js'
import { council, deal, rite, talk } from '../prose/scenes-words.js'
import { leads } from '../prose/tables.js'
import { type Cast, type Mentions, renderTemplate } from '../template.js'

const middles: ReadonlyArray<Scene> = [talk, deal, council, rite, inquiry, fight, discovery, chase, night]

/** The least bytes of prose in a session; N1 requires 2 KB. */
const leastBytes = 2100

const utf8 = (text: string): number => Buffer.byteLength(text, 'utf8')

const lowerFirst = (text: string, cast: Cast): string => {
  const first = text.split(/[ ,]/u, 1)[0] ?? ''
  const isName = Object.values(cast).some(role =>
    [role.full, role.short].some(paradigm =>
      Object.values(paradigm.forms).some(form => form === first || form.startsWith(`${first} `)),
    ),
  )
  return isName ? text : text.charAt(0).toLowerCase() + text.slice(1)
}

const renderSentence = (sentence: Sentence, cast: Cast, mentions: Mentions, chance: Chance): string => {
  const text = renderTemplate(sentence.template, cast, mentions, chance)
  return sentence.leads && chance.truth(0.3) ? `${chance.pick(leads)} ${lowerFirst(text, cast)}` : text
}

const paragraph = (scene: Scene, length: number, cast: Cast, chance: Chance): string => {
  const mentions: Mentions = { told: new Set() }
  const sentences = [chance.pick(scene.open), ...chance.some(scene.next, length)]
  return sentences.map(sentence => renderSentence(sentence, cast, mentions, chance)).join(' ')
}

/** Writes the prose of a session: paragraphs, each a scene, from the road to the end. */
export const sessionParagraphs = (cast: Cast, chance: Chance): ReadonlyArray<string> => {
  const paragraphs = [paragraph(chance.truth(0.5) ? road : arrival, chance.whole(3, 4), cast, chance)]
  const closing = paragraph(ending, chance.whole(2, 3), cast, chance)
  let bytes = utf8(paragraphs[0] ?? '') + utf8(closing)
  for (const scene of chance.some(middles, middles.length)) {
    if (bytes >= leastBytes) break
    const next = paragraph(scene, chance.whole(3, 4), cast, chance)
    paragraphs.push(next)
    bytes += utf8(next)
  }
  return [...paragraphs, closing]
}
