import { type ChatCourierPorts, chatCourier } from '#actors/chat-courier/chat-courier.js'
import type { ChatCourierMessage } from '#actors/chat-courier/messages.js'
import { corpusKeeper, type KeeperPorts, type KeeperSetup } from '#actors/corpus-keeper/corpus-keeper.js'
import type { CorpusKeeperMessage } from '#actors/corpus-keeper/messages.js'
import { eventJournal } from '#actors/event-journal/event-journal.js'
import { type FrontPorts, httpFront } from '#actors/http-front.js'
import { jobRunner } from '#actors/job-runner/job-runner.js'
import type { JobRunnerMessage } from '#actors/job-runner/messages.js'
import type { JobRunnerPorts } from '#actors/job-runner/perform.js'
import { type KeyKeeperPorts, type KeyKeeperSetup, keyKeeper } from '#actors/key-keeper/key-keeper.js'
import type { KeyKeeperMessage } from '#actors/key-keeper/messages.js'
import { type ReaderPoolPorts, readerPool, type ThreadEnded } from '#actors/reader-pool.js'
import type { RecorderPorts, Wake } from '#actors/recorder.js'
import type { RepositorySyncMessage } from '#actors/repository-sync/messages.js'
import { repositorySync, type SyncPorts } from '#actors/repository-sync/repository-sync.js'
import type { SyncSetup } from '#actors/repository-sync/state.js'
import { streams } from '#actors/streams/streams.js'
import type { Job } from '#actors/write-gate/messages.js'
import type { GatePorts } from '#actors/write-gate/ports.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import type { LimitRules } from '#src/domain/chat/limits.js'
import type { Ref } from '#src/kernel/actor/ref.js'
import type { GiveUp, Kernel, Tree } from '#src/kernel/kernel.js'
import { authority } from '#supervisors/authority.js'
import { corpus } from '#supervisors/corpus.js'
import { delivery } from '#supervisors/delivery.js'
import { front } from '#supervisors/front.js'
import { identity } from '#supervisors/identity.js'
import { node } from '#supervisors/node.js'
import { store } from '#supervisors/store.js'

/** The doors that the rest of the node knows. */
export interface Doors {
  readonly journal: Ref<Wake>
  readonly streams: Ref<Wake>
  readonly keeper: Ref<CorpusKeeperMessage>
  readonly readers: Ref<ThreadEnded>
  readonly gate: Ref<Job>
  readonly jobs: Ref<JobRunnerMessage>
  readonly sync: Ref<RepositorySyncMessage>
  readonly keys: Ref<KeyKeeperMessage>
  readonly chat: Ref<ChatCourierMessage>
}

export interface TreePorts {
  readonly journal: RecorderPorts
  readonly streams: RecorderPorts
  readonly keeper: KeeperPorts
  readonly readers: ReaderPoolPorts
  readonly gate: GatePorts
  readonly jobs: JobRunnerPorts
  readonly sync: SyncPorts
  readonly keys: KeyKeeperPorts
  readonly chat: ChatCourierPorts
  readonly front: FrontPorts
}

export interface TreeSetup {
  readonly keeper: KeeperSetup
  readonly readerThreads: number
  readonly sync: SyncSetup
  readonly keys: KeyKeeperSetup
  readonly chat: LimitRules
}

export interface PlacedTree {
  readonly doors: Doors
  readonly run: (ports: TreePorts, onGiveUp: (notice: GiveUp) => void) => Tree
}

/** Places every actor; `run` starts the tree over the ports, which may hold the doors. */
export const placeTree = (kernel: Kernel, setup: TreeSetup): PlacedTree => {
  const journal = kernel.place(eventJournal)
  const recording = kernel.place(streams)
  const keeper = kernel.place(corpusKeeper(setup.keeper))
  const readers = kernel.place(readerPool(setup.readerThreads))
  const gate = kernel.place(writeGate)
  const jobs = kernel.place(jobRunner)
  const sync = kernel.place(repositorySync(setup.sync))
  const keys = kernel.place(keyKeeper(setup.keys))
  const courier = kernel.place(chatCourier(setup.chat))
  const listeners = kernel.place(httpFront)
  return {
    doors: {
      journal: journal.ref,
      streams: recording.ref,
      keeper: keeper.ref,
      readers: readers.ref,
      gate: gate.ref,
      jobs: jobs.ref,
      sync: sync.ref,
      keys: keys.ref,
      chat: courier.ref,
    },
    run: (ports, onGiveUp) =>
      kernel.run(
        node,
        {
          store: kernel.group(store, {
            'event-journal': journal.with(ports.journal),
            streams: recording.with(ports.streams),
          }),
          corpus: kernel.group(corpus, {
            'corpus-keeper': keeper.with(ports.keeper),
            'reader-pool': readers.with(ports.readers),
          }),
          authority: kernel.group(authority, {
            'write-gate': gate.with(ports.gate),
            'job-runner': jobs.with(ports.jobs),
            'repository-sync': sync.with(ports.sync),
          }),
          identity: kernel.group(identity, { 'key-keeper': keys.with(ports.keys) }),
          delivery: kernel.group(delivery, { 'chat-courier': courier.with(ports.chat) }),
          front: kernel.group(front, { 'http-front': listeners.with(ports.front) }),
        },
        onGiveUp,
      ),
  }
}
