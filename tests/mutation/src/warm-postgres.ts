/** Stands in for the harness's `postgres.ts` while mutants run: a fresh database on the one server that is kept warm. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestConnection, TestDatabase } from '../../harness/src/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    warmDatabase: TestConnection
  }
}

export async function startTestDatabase(): Promise<TestDatabase> {
  const administrator = inject('warmDatabase')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await tell(administrator, `create database ${database} owner countersign`)
  return {
    connection: { ...administrator, user: 'countersign', database },
    administrator: { ...administrator, database },
    processId: 0,
    stop: () => tell(administrator, `drop database if exists ${database} with (force)`),
  }
}

async function tell(administrator: TestConnection, command: string): Promise<void> {
  const client = new pg.Client(administrator)
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}
