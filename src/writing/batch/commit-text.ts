import { slugOf } from '#src/domain/sessions/saver.js'
import type { WriteActor, WriteOrigin } from '../command.js'

/**
 * The git author of a commit: the person, or the daemon for a write of a machine. The domain of the address
 * does not exist.
 */
export const authorOf = ({ gracz }: WriteActor): { readonly name: string; readonly email: string } =>
  gracz === null
    ? { name: 'Kronika', email: 'kronika@kronika.invalid' }
    : { name: gracz, email: `${slugOf(gracz) || 'gracz'}@kronika.invalid` }

/** Replaces control characters, which would end the line and could forge a trailer. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u{2028}\u{2029}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

/**
 * The commit message of a write: what changed, then trailers with intent, actor, named token if any, and
 * route.
 */
export const commitMessage = (
  subject: string,
  intent: string,
  { actor, route }: WriteOrigin,
  body = '',
): string =>
  [
    oneLine(subject) || 'write',
    '',
    ...(body === '' ? [] : [body, '']),
    `Svc-Intent: ${intent}`,
    `Svc-Actor: ${oneLine(actor.name)}`,
    ...(actor.token === undefined ? [] : [`Svc-Token: ${oneLine(`${actor.token.id} ${actor.token.name}`)}`]),
    `Svc-Route: ${oneLine(route)}`,
    '',
  ].join('\n')
