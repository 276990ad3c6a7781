import type { Snapshot } from '#src/snapshot/snapshot.js'
import { adoptedTexts } from '#test/support/legacy/adoption.js'
import type { Texts } from '#test/support/legacy/legacy-world.js'
import { fixtureText } from './acceptance.js'
import { worldOf } from './world.js'

let texts: Texts | null = null
let world: Snapshot | null = null

/** The full index of the case files: the roster and its three registries, adopted. */
export const fixtureIndexTexts = (): Texts => {
  texts ??= adoptedTexts({
    'Gracze.md': fixtureText('Gracze.md'),
    'entities.md': fixtureText('entities.md'),
    'Rejestr/nowe-100-ent.md': fixtureText('entities-100-ent.md'),
    'Rejestr/nowe-200-ent.md': fixtureText('entities-200-ent.md'),
  })
  return texts
}

export const fixtureIndex = (): Snapshot => {
  world ??= worldOf(fixtureIndexTexts())
  return world
}
