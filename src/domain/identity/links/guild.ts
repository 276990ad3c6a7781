import type { RefusalOf } from '#protocol/refusal.js'
import { refusePlayer } from './player-refusals.js'

/** The refusal for an interaction from outside the guild that this host serves; null inside it (A 4.4.3). */
export const guildRefused = (
  guildId: string | undefined,
  configured: string,
): RefusalOf<'registration_needs_guild' | 'wrong_guild'> | null => {
  if (guildId === undefined || guildId === '') return refusePlayer('registration_needs_guild')
  return guildId === configured ? null : refusePlayer('wrong_guild')
}
