import type { AdoptPorts } from '#actors/write-gate/adopt.js'

export const adoptionPlan =
  (_zone: string): AdoptPorts['plan'] =>
  () => {
    throw new Error('adoption is not built yet')
  }
