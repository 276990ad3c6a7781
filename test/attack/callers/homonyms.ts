import type { Tactic } from '../caller-case.js'
import { aim } from '../worlds/base.js'
import { segment } from './path.js'

const used = [
  ['an NPC', aim.npc],
  ['an NPC in another case', aim.npc.toUpperCase()],
  ['an NPC in another form of Unicode', aim.npc.normalize('NFD')],
  ['a Grupa', aim.group],
  ['an alias of a Grupa', aim.sharedAlias],
  ['a Lokacja', aim.place],
  ['a stack of money', aim.purse],
  ['a Gracz', aim.victim],
  ['a narrator', 'Bajarka'],
  ['an effect of a closed session', aim.unwritten],
  ['the Postać of another', aim.character],
  ['an alias of the Postać of another', aim.characterAlias],
] as const

/** Postacie and aliases with a name that the lore uses already (D61). */
export const homonyms: Tactic = async ({ own, caller, fire }) => {
  for (const [what, name] of used) {
    const forbidden = `the name is that of ${what}`
    await fire({
      method: 'POST',
      path: '/characters',
      body: { name, tags: { należy_do: caller.person ?? aim.victim } },
      forbidden,
    })
    await fire({
      method: 'PATCH',
      path: `/characters/${segment(own ?? aim.character)}`,
      body: { tag: 'alias', value: name },
      forbidden: `the alias is that of ${what}`,
    })
  }
}
