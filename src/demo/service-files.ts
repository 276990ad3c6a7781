import { bundles } from '#src/domain/identity/roles.js'
import type { Chance } from './chance.js'
import type { WorldCast } from './people/cast.js'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const formatText = json({ format: 2 })

/** The works tree and the annotations are inside the checkout but not in its history (ADR 1037). */
export const worksFolder = 'dziela'
export const annotationsFolder = 'adnotacje'

export const ignoreText = `/${worksFolder}/\n/${annotationsFolder}/\n`

export const configText = json({
  corpora: { adnotacje: annotationsFolder, dziel: worksFolder },
  integrations: { logs: { hosts: ['logi.example.org'] } },
  server: { search_index: 'all', selfheal_interval_ms: 1000 },
})

/** What sessions name as their place and what is none (FORMATS 8). */
export const exclusionsText = [
  '# Te słowa w polu Lokacje nie są miejscami.',
  'Brak',
  'Sen',
  'W drodze',
  'Listownie',
  '',
].join('\n')

export const rolesText = json({ roles: bundles })

const degrees = ['podstawowa', 'rozszerzona', 'pełna']

/** `.svc/permissions.json`: a row for each narrator by game id (A 2.8). */
export const permissionsText = (cast: WorldCast, chance: Chance): string =>
  json({
    permissions: Object.fromEntries(
      cast.players
        .filter(player => player.roles.includes('Narrator'))
        .map(player => [
          player.gameId,
          {
            nick: player.nick,
            ranga: chance.pick(['kandydat', 'narrator', 'starszy narrator']),
            magia: chance.pick(degrees),
            polityka: chance.pick(degrees),
            walki_pvp: chance.truth(0.5),
            zmieniono: `2026-0${chance.whole(1, 5)}-1${chance.whole(0, 9)}T18:00:00Z`,
          },
        ]),
    ),
  })
