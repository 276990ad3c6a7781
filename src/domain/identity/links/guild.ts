import type { RefusalOf } from '#protocol/refusal.js'
import { toldPlayer } from './player-refusals.js'

/** Why an interaction is not of the guild whose members this host serves; null where it is (A 4.4.3). */
export const guildRefused = (
  guildId: string | undefined,
  configured: string,
): RefusalOf<'registration_needs_guild' | 'wrong_guild'> | null => {
  if (guildId === undefined || guildId === '') return toldPlayer('registration_needs_guild')
  return guildId === configured ? null : toldPlayer('wrong_guild')
}
