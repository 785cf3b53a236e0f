import { CountersignError } from '@countersign/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { watchTrouble } from './trouble.ts'

const ask = (queries: QueryClient, key: string, answer: () => Promise<unknown>) =>
  queries.fetchQuery({ queryKey: [key], queryFn: answer, retry: false }).catch(() => undefined)
const fails = (error: Error) => () => Promise.reject(error)

test('a failure of everything is told until something is read again, others are not', async () => {
  const queries = new QueryClient()
  const heard: (string | null)[] = []
  const end = watchTrouble(queries, (trouble) => heard.push(trouble?.code ?? null))
  await ask(queries, 'runs', fails(new CountersignError('not_found', 'There is none.')))
  expect(heard).toEqual([])
  await ask(queries, 'runs', fails(new CountersignError('database_unavailable', 'It is silent.')))
  expect(new Set(heard)).toEqual(new Set(['database_unavailable']))
  await ask(queries, 'status', () => Promise.resolve(1))
  expect(heard.at(-1)).toBeNull()
  end()
})
