import type { Snapshot } from '#src/snapshot/snapshot.js'
import { adoptTexts } from '#test/support/legacy/adoption.js'
import type { WorldTexts } from '#test/support/legacy/legacy-world.js'
import { fixtureText } from './acceptance.js'
import { worldOf } from './world.js'

let texts: WorldTexts | null = null
let world: Snapshot | null = null

/** The full index of the case files: the roster and its three registries, adopted. */
export const fixtureIndexTexts = (): WorldTexts => {
  texts ??= adoptTexts({
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
