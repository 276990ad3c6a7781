import { type AlertTable, alertQuery, queryWindow } from './alert.js'

/** The alerts of a fleet. The hosts of a fleet are the targets of one scrape job. */
export const fleetAlerts = {
  KronikaFleetNoPrimary: {
    severity: 'critical',
    query: alertQuery`sum by (job) (${'svc_fleet_role'}{role=~"primary|stepping-down"}) == 0
      and sum by (job) (${'svc_fleet_role'}{role="replica"}) > 0`,
    holdSeconds: 300,
    summary: 'No host of the fleet has the role primary.',
    means: 'The replicas answer reads, and every write of the fleet is refused.',
    look: [
      '`kronika fleet status --repo DIR` on a host that runs: the apex, its misses, and what ' +
        'refuses a takeover.',
    ],
    act: [
      'Start the apex again, or let a takeover happen: [when the apex is ' +
        'dead](../howto/fleet/when-the-apex-is-dead.md).',
    ],
  },
  KronikaFleetTwoPrimaries: {
    severity: 'critical',
    query: alertQuery`sum by (job) (${'svc_fleet_role'}{role=~"primary|stepping-down"}) > 1`,
    holdSeconds: 300,
    summary: '{{ $value }} hosts of the fleet have the role primary.',
    means:
      'A host has not read the newest `.svc/fleet.json`. What two hosts write meanwhile is ' +
      'merged, or parked where both changed a row.',
    look: ['`kronika fleet status --repo DIR` on each of them: `apex`, and the age of the last sync.'],
    act: [
      'Let the host with the older topology converge: `POST /sync`, or `kronika fleet announce`.',
      'If it cannot reach the remote, stop it: [when the apex is ' +
        'dead](../howto/fleet/when-the-apex-is-dead.md).',
    ],
  },
  KronikaPeerDark: {
    severity: 'warning',
    query: alertQuery`${'svc_fleet_peer_consecutive_misses'} >= 3`,
    holdSeconds: 0,
    summary: 'The town {{ $labels.town }} did not answer three probes in a row.',
    means:
      'This host cannot reach the town. If the town is the apex, the candidates ask for a ' +
      'takeover after `fleet.auto_failover.after_sweeps` misses.',
    look: [
      '`GET /fleet/peers` of two hosts: if one of them reaches the town, a path is cut and the ' +
        'town is alive.',
      '`svc_fleet_probes_total` by `result`: why the probes fail.',
    ],
    act: [
      'Start the town again or mend the path: [is it ' +
        'dead?](../howto/fleet/when-the-apex-is-dead.md#is-it-dead)',
    ],
  },
  KronikaPeerLate: {
    severity: 'warning',
    query: alertQuery`increase(${'svc_fleet_late_answers_total'}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'The town {{ $labels.town }} answered a probe too late within the last 30 minutes.',
    means:
      'The town is alive and took longer than a sweep waits: 15 s, or the interval where that is ' +
      'shorter. Each late answer takes the misses back, so this host does not take the town for dead; ' +
      'an answer that is more than 15 s late would be too late for that. Its players wait as long.',
    look: [
      '`GET /fleet/peers` of two hosts: `late`, and `elapsedMs` of the probe. If every town is late for ' +
        'one host alone, that host or its network is slow.',
      '`lagMs` in `GET /health` of the town, and the load of its machine.',
    ],
    act: [
      'Find what keeps the town busy: its log has the long requests. A machine that swaps, or shares its ' +
        'processor, needs more of it.',
    ],
  },
  KronikaPeerFlapping: {
    severity: 'warning',
    query: alertQuery`${'svc_fleet_peer_flapping'} == 1`,
    holdSeconds: 0,
    summary: 'The town {{ $labels.town }} answers only some of its probes.',
    means:
      'The last ten probes of the town changed at least five times between success and failure. The misses never add ' +
      'up, so no host takes over from it, and its players meet the same failures.',
    look: [
      '`svc_fleet_probes_total` by `result`: why the others fail. `frozen`: a cache before the town answers for it.',
      '`GET /fleet/peers` of two hosts: `flapping` on one of them alone is a path, on both the town or its proxy.',
    ],
    act: [
      'Mend the path or the proxy, or start the town again; if it is the apex and stays so, ' +
        '[take over by hand](../howto/fleet/when-the-apex-is-dead.md#take-over).',
    ],
  },
  KronikaTakeoverFailed: {
    severity: 'warning',
    query: alertQuery`delta(${'svc_fleet_takeover_jobs'}{status="failed"}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'A takeover of this host failed within the last 30 minutes.',
    means:
      'A takeover job of this host ended as failed, and the fleet may have no apex. The alert ends ' +
      '30 minutes after the last failure.',
    look: [
      '`kronika fleet status --repo DIR`: the last takeover and its failure.',
      '`superseded`, `apex_answers` and `vetoed` need no action: the topology changed, the apex ' +
        'is alive, or a person decided.',
    ],
    act: ['[When the apex is dead](../howto/fleet/when-the-apex-is-dead.md) has a row for each failure.'],
  },
  KronikaClockSkew: {
    severity: 'warning',
    query: alertQuery`abs(${'svc_fleet_peer_skew_seconds'}) - ${'svc_fleet_peer_skew_error_seconds'} > 2`,
    holdSeconds: 600,
    summary: 'The clocks of this host and of {{ $labels.town }} differ by more than two seconds.',
    means:
      'One of the clocks is wrong. A wrong clock rejects sign-ins and interactions of the chat, ' +
      'whose age is compared with it.',
    look: ['`svc_fleet_peer_skew_seconds` of every host: the host that differs from all others is wrong.'],
    act: ['Correct the time service of that machine (`timedatectl`, `chronyc tracking`).'],
  },
} as const satisfies AlertTable
