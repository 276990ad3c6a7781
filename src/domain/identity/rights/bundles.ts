import type { CapabilityId } from '#protocol/atoms.js'

const gracz = [
  'entity.read',
  'player.read',
  'player.write.own',
  'player.declare.own',
  'pu.read.own',
  'currency.read.own',
  'session.report',
  'identity.read',
  'capability.read',
] as const

const narrator = [
  ...gracz,
  'session.read',
  'session.write',
  'session.close',
  'sample.confirm',
  'entity.write',
  'lore.edit',
  'log.read',
  'log.fetch',
  'pu.read',
  'currency.read',
  'events.subscribe',
  'external.read',
  'player.write',
] as const

const mc = [
  'session.read',
  'log.read',
  'moderation.read',
  'moderation.write',
  'keyring.read',
  'capability.read',
] as const

/** The built-in bundles (D44); adoption seeds `.svc/roles.json` with them. */
export const bundles: Readonly<Record<string, ReadonlyArray<CapabilityId>>> = {
  gracz,
  narrator,
  radny: [
    ...narrator,
    'pu.award',
    'currency.write',
    'governance.read',
    'governance.write',
    'location.override',
    'chat.send',
    'identity.link',
    'moderation.read',
  ],
  it: [
    'entity.read',
    'player.read',
    'session.read',
    'log.read',
    'external.read',
    'events.subscribe',
    'sync.read',
    'identity.read',
    'capability.read',
  ],
  bot: ['entity.read', 'apikey.manage.own', 'identity.read', 'capability.read'],
  mc,
  smc: [...mc, 'moderation.admin', 'keyring.admin', 'regulation.write'],
}
