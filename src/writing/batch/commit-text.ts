import { slugOf } from '#src/domain/sessions/saver.js'
import type { WriteActor, WriteOrigin } from '../command.js'

/** Who stands as author in git: the person, or the daemon where a machine asked. The address leads nowhere. */
export const authorOf = ({ gracz }: WriteActor): { readonly name: string; readonly email: string } =>
  gracz === null
    ? { name: 'Kronika', email: 'kronika@kronika.invalid' }
    : { name: gracz, email: `${slugOf(gracz) || 'gracz'}@kronika.invalid` }

/** Control characters would end the line, and forge a trailer. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u{2028}\u{2029}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

/** The message of a write: what changed, then trailers that name intent, actor, named token if any, and route. */
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
