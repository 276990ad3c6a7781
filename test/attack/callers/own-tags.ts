import type { Tactic } from '../caller-case.js'
import { aim } from '../worlds/base.js'
import { segment } from './path.js'

const why = 'a player may not write it of a Postać of their own'

const patches = [
  { tag: 'grupa', value: aim.group },
  { tag: '@grupa', value: aim.group, from: '2020-01' },
  { tag: 'lokacja', value: aim.place },
  { tag: 'należy_do', value: aim.victim },
  { tag: 'Należy_Do', value: aim.victim },
  { tag: 'należy_do'.normalize('NFD'), value: aim.victim },
  { tag: 'należy_do', remove: true },
  { tag: 'pu_suma', value: '999' },
  { tag: 'pu_startowe', value: '999' },
  { tag: 'pu_nadmiar', value: '999' },
  { tag: 'typ', value: 'NPC' },
  { tag: 'ref', value: 'encje/indeks.md' },
  { tag: 'pochodzenie', value: 'Zatoka' },
  { tag: 'nick', value: aim.victim },
  { tag: 'nazwa_svc', value: aim.victim },
  { tag: 'chat', value: 'sesje/inny' },
  { tag: 'stan', value: 'Zdrowy od zawsze.', from: '2020-01-01' },
  { tag: 'stan', value: 'Zdrowy od zawsze.', from: null },
  { tag: 'reputacja_pozytywna', value: aim.group, from: '2020-01' },
] as const

/** Tags of an own Postać that a player may not write, and dates of the past (D66). */
export const patchOwnTags: Tactic = async ({ own, fire }) => {
  const name = segment(own ?? aim.character)
  for (const body of patches)
    await fire({ method: 'PATCH', path: `/characters/${name}`, body, forbidden: `${why}: @${body.tag}` })
  for (const tag of ['grupa', 'lokacja', 'pu_startowe', 'pu_suma'] as const)
    await fire({
      method: 'POST',
      path: '/characters',
      body: {
        name: `Nowy ${tag}`,
        tags: { należy_do: 'Napastnik', [tag]: tag.startsWith('pu') ? '99' : aim.group },
      },
      forbidden: `${why}: @${tag} of a new Postać`,
    })
}
