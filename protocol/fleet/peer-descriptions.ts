import type { Descriptions } from '../description.js'

export const peerDescriptions: Descriptions = {
  PeerReport: {
    town: 'Name of the town in the topology.',
    role: 'Role on its last card; null before one was read.',
    nowUtc: 'Clock of the town on its last card, ISO 8601 in UTC.',
    bootUtc: 'When its daemon started, ISO 8601 in UTC.',
    bootId: 'Random id of that start.',
    uptimeSeconds: 'Seconds since that start.',
    imageDigest: 'Digest of its container image; empty outside a container.',
    schemaVersion: 'Format that its repository is stamped with.',
    syncAgeMinutes:
      'Minutes since its last full converge, by the last card; null where its sync is disabled.',
    version: 'Version of its daemon.',
    observedUtc: 'End of the last probe that left this host, ISO 8601 in UTC.',
    elapsedMs:
      'Milliseconds that the answered request of the probe took, or the whole probe where it failed.',
    reachable: 'True when the town answered it.',
    skewMs: 'Clock of the town minus that of this host, for half a round trip; null before a card was read.',
    probeKind: 'The row that was asked; `health` is the host without a card.',
    consecutiveMisses: 'Failed probes in a row that left this host; 0 after a restart.',
    failure: 'Why the last probe failed; null where it did not.',
    late: 'True when its last answer came up to 15 s after the sweep had counted as missed, and took the misses back.',
    settling:
      'True while fewer than three probes have ended since a pause of this host; it suspects no town then.',
    flapping:
      'True when its last ten probes changed at least five times between success and failure: its misses never add up.',
  },
  FleetPeers: {
    count: 'Number of towns that were observed since the start.',
    items: 'Those towns, by name.',
    self: 'The card of this host.',
    watchIntervalMin: 'Minutes between two probes of a town.',
    staleAfterMinutes: 'The interval times one less than `fleet.auto_failover.after_sweeps`.',
    isolated:
      'True while all towns and the remote fail: this host may be the cause, and suspects no town until one of them ' +
      'or the forge answers.',
    takeover: 'The last takeover of this host, and what another one would meet now.',
  },
  TakeoverOutlook: {
    apex: 'The apex of the topology that this host obeys; null off the fleet.',
    towns: 'The towns of that topology: the candidates in their order, then the others by name.',
    job: 'The last takeover job of this host; null before one.',
    refusals: 'Every refusal that a takeover without target and `force` would meet now, in their order.',
  },
  TownOutlook: {
    town: 'Name of the town.',
    reasons: 'Why it cannot become the apex; empty for a candidate.',
  },
  LastTakeover: {
    target: 'The town that was to become the apex.',
    reason: 'The reason that the job was accepted with.',
    status: 'Whether it waits, runs, is merged, or has failed.',
    requestedUtc: 'When it was accepted, ISO 8601 in UTC.',
    failure: 'The kind of its failure; null where it did not fail.',
    detail: 'Why it failed; null where it did not.',
    mrUrl: 'The request at the forge; null before it is known.',
    lastError: 'The last error that the running job met and goes on after; null without one.',
  },
  TakeoverErrorReport: {
    atUtc: 'When it was met, ISO 8601 in UTC.',
    detail: 'What failed, without credentials.',
  },
  DerivedList: {
    count: 'Number of kinds.',
    items: 'Every kind, in the order of the closed list.',
    archive: 'Stamp of the transcript archive of this host; null where it has none, or before it is read.',
  },
  DerivedRow: {
    kind: 'Kind of the artifact.',
    status: 'Whether this host has it, and whether it describes the archive of this host.',
    stamp: 'Stamp of the archive that it describes; null where it is absent.',
    sha256: 'SHA-256 of its bytes, in hex; null where it is absent.',
    bytes: 'Length in bytes; null where it is absent.',
  },
  FleetMonitor: {
    configured: 'Whether `fleet.monitor_url` is set.',
    stale: 'True without a document, and where it is too old: by its date, or by how long no other one came.',
    fetchedUtc: 'When the document was fetched, ISO 8601 in UTC; null before the first.',
    failure: 'Why the last fetch brought no document; null where it did, and before the first.',
    document: 'The last document that was read; null before the first.',
    vantageSplit: 'The towns that this host and the monitor see differently, by name.',
  },
  MonitorDocument: {
    generatedUtc: 'When the monitor made it, ISO 8601 in UTC.',
    monitor: 'What the monitor calls itself.',
    towns: 'The towns that it watches.',
  },
  MonitoredTown: {
    town: 'Name of the town.',
    reachable: 'Whether the town answered the monitor.',
    checkedUtc: 'When the monitor last asked it, ISO 8601 in UTC.',
  },
  VantageSplit: {
    town: 'Name of the town.',
    peerSaysReachable: 'Whether it answered the last probe of this host.',
    monitorSaysReachable: 'Whether it answered the monitor.',
  },
  TakeoverObstacle: {
    error: 'Code of the refusal.',
    detail: 'The sentence that says what is missing.',
  },
}
