import { type Job, type JobState, jobStates } from '#src/ports/records.js'
import type { JobTask } from '#src/writing/command.js'
import type { Trace } from './trace.js'

/** The work of a job as its client knows it. */
export interface JobWork {
  /** Its place among all works. */
  readonly number: number
  readonly host: string
  /** Null until the client has the envelope. */
  id: string | null
  /** How often it was begun. */
  runs: number
  /** What it answered at its end; null before. */
  result: string | null
}

/** Jobs that clients were told of, held against S26. */
export interface JobChecks {
  readonly ask: (host: string) => JobWork
  /** The work that a task was made for. */
  readonly workOf: (task: JobTask) => JobWork
  /** The work is begun. */
  readonly runs: (work: JobWork) => void
  /** Looks at every job that a host promised. */
  readonly look: (host: string, find: (id: string) => Job | null) => void
  readonly atRest: (host: string, find: (id: string) => Job | null) => void
  readonly completed: () => number
}

const isFinal = (state: JobState): boolean => state === 'completed' || state === 'failed'
const rank = (state: JobState): number => Math.min(jobStates.indexOf(state), 2)

export const jobChecks = ({ say, mark, violation }: Trace): JobChecks => {
  const works: Array<JobWork> = []
  const seen = new Map<string, string>()
  const states = new Map<string, JobState>()
  const idOf = ({ id }: JobWork): ReadonlyArray<string> => (id === null ? [] : [id])

  const checkState = (host: string, work: JobWork, { id, state, result, error }: Job): void => {
    const before = states.get(id) ?? 'queued'
    const told = `${state} ${JSON.stringify(result)} ${error}`
    if (rank(state) < rank(before)) violation(`${host}: job ${id} went from ${before} to ${state} (S26)`)
    if (isFinal(before) && seen.get(id) !== told) violation(`${host}: job ${id} ended and changed (S26)`)
    if (state === 'completed' && work.result !== result)
      violation(`${host}: job ${id} is completed by what its work did not answer (S26)`)
    if (told !== seen.get(id)) say(`${host} job ${id.slice(0, 8)} ${state} ${error ?? ''}`)
    if (error === 'interrupted') mark('a crash interrupted a job')
    states.set(id, state)
    seen.set(id, told)
  }

  const look: JobChecks['look'] = (host, find) => {
    for (const work of works.filter(one => one.host === host))
      for (const id of idOf(work)) {
        const job = find(id)
        if (job === null) violation(`${host}: job ${id} was promised and is not on record (S26)`)
        else checkState(host, work, job)
      }
  }

  return {
    ask: host => {
      const work: JobWork = { number: works.length, host, id: null, runs: 0, result: null }
      works.push(work)
      return work
    },
    workOf: task => {
      const work = task._tag === 'Write' ? works[Number(task.command.body)] : undefined
      if (work === undefined) throw new Error('a task that no client asked for')
      return work
    },
    runs: work => {
      work.runs += 1
      if (work.runs > 1) violation(`${work.host}: job ${work.id} was begun twice (S26)`)
      for (const id of idOf(work))
        if (isFinal(states.get(id) ?? 'queued')) violation(`${work.host}: job ${id} runs after its end (S26)`)
    },
    look,
    atRest: (host, find) => {
      look(host, find)
      for (const id of works.filter(one => one.host === host).flatMap(idOf)) {
        const state = states.get(id)
        if (state !== undefined && !isFinal(state)) violation(`${host}: job ${id} is ${state} for ever (S26)`)
      }
    },
    completed: () => [...states.values()].filter(state => state === 'completed').length,
  }
}
