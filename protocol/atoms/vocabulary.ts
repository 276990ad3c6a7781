import * as t from 'io-ts'

/**
 * The eight entity types, in the order of `entityTypes` of `GET /schema` (A 2.8); it also ranks homonyms
 * (D12).
 */
export const entityTypes = [
  'NPC',
  'Grupa',
  'Lokacja',
  'Mapa',
  'Gracz',
  'Postać',
  'Przedmiot',
  'Region',
] as const
export type EntityType = (typeof entityTypes)[number]
export const EntityType = t.keyof(
  {
    NPC: null,
    Grupa: null,
    Lokacja: null,
    Mapa: null,
    Gracz: null,
    Postać: null,
    Przedmiot: null,
    Region: null,
  },
  'EntityType',
)

/** Entity statuses (A 2.8, B 3). `Niepewny`: existence or identity unconfirmed. */
export const statuses = ['Aktywny', 'Nieaktywny', 'Usunięty', 'Niepewny'] as const
export type Status = (typeof statuses)[number]
export const Status = t.keyof({ Aktywny: null, Nieaktywny: null, Usunięty: null, Niepewny: null }, 'Status')

/** Session generations (FORMATS 4.2). */
export const Generation = t.keyof({ Gen1: null, Gen2: null, Gen3: null, Gen4: null }, 'Generation')
export type Generation = t.TypeOf<typeof Generation>
