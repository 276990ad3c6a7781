import { nameKey } from '#protocol/atoms.js'
import { statusOn } from '#src/domain/entities/entity.js'
import { closeSessions } from '#test/support/closed-world.js'
import { day, worldOf } from '#test/support/world.js'

/** The alias by which the closed session names its group; clients give it to other blocks too. */
export const sharedAlias = 'Kasa'

/** A group, and a closed session that ends it, with its row of the close ledger. */
export const closedSessionFiles = closeSessions(
  {
    'encje/grupy.md': `### Skarbiec\n- @typ: Grupa\n- @alias: ${sharedAlias}\n`,
    'Sesje.md': `### 2025-03-01, Koniec, Solmyr\n\n- @Zmiany:\n    - ${sharedAlias}\n        - @status: Nieaktywny\n`,
  },
  true,
)

const after = day('2025-03-02')

const judge = (files: ReadonlyMap<string, string>): boolean => {
  const { entities } = worldOf(Object.fromEntries(files))
  const inactive = entities.all.filter(entity => statusOn(entity, after) === 'Nieaktywny')
  return inactive.length === 1 && inactive[0]?.key === nameKey('Skarbiec')
}

/** The hosts of a world mostly end at one commit, and to load a lore takes long. */
const judged = new WeakMap<ReadonlyMap<string, string>, boolean>()

/** Whether the closed session still changes the group that it meant, and nothing else (D61). */
export const effectsHold = (files: ReadonlyMap<string, string>): boolean => {
  const known = judged.get(files)
  if (known !== undefined) return known
  const holds = judge(files)
  judged.set(files, holds)
  return holds
}
