/**
 * Accepts a PostgreSQL that the operator runs, given as a URL. Refuses one that is too old, and a role that row
 * security does not bind, also when it could only become such a role. The assistant's role must be there: the gateway's
 * own makes no roles.
 */
import pg from 'pg'
import type { DatabaseAddress } from './database.ts'
import { DatabaseError } from './database-error.ts'

const oldestMajor = 15

export async function databaseFromUrl(url: string): Promise<DatabaseAddress> {
  const client = clientFor(url)
  // An error after the answer says nothing about the answer.
  client.on('error', () => undefined)
  const facts = await factsOf(client)
  if (facts.version < oldestMajor * 10_000) {
    throw new DatabaseError(
      'database_version_unsupported',
      `The server at ${client.host} runs PostgreSQL ${Math.floor(facts.version / 10_000)}; ${oldestMajor} is the oldest supported.`,
      'Upgrade it, or unset COUNTERSIGN_DATABASE_URL to use the embedded database.',
    )
  }
  if (facts.superuser || facts.bypass) {
    throw new DatabaseError(
      'database_role_too_powerful',
      `Role ${facts.role} ${facts.superuser ? 'is, or can become, a superuser' : 'has, or can obtain, BYPASSRLS'}, so row security would not bind the gateway.`,
      'Run `CREATE ROLE countersign LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE PASSWORD …; CREATE DATABASE countersign OWNER countersign;` and put that role in COUNTERSIGN_DATABASE_URL.',
    )
  }
  if (!facts.assistant) {
    const assistant = `${facts.role}_assistant`
    throw new DatabaseError(
      'database_role_missing',
      `Role ${facts.role} cannot become role ${assistant}, under which the assistant works, so the assistant could write what belongs to the kernel.`,
      `Run \`CREATE ROLE ${assistant}; GRANT ${assistant} TO ${facts.role};\` as an administrator of the database, then start again.`,
    )
  }
  return {
    url: () => url,
    connection: {
      host: client.host,
      port: client.port,
      user: facts.role,
      database: facts.database,
      ...(typeof client.password === 'string' ? { password: client.password } : {}),
    },
  }
}

function clientFor(url: string): pg.Client {
  // The causes are left out: they may repeat the URL, and with it the password.
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') throw invalidUrl()
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  } catch {
    throw invalidUrl()
  }
}

interface Facts {
  version: number
  role: string
  database: string
  superuser: boolean
  bypass: boolean
  assistant: boolean
}

async function factsOf(client: pg.Client): Promise<Facts> {
  try {
    await client.connect()
    const { rows } = await client.query<Facts>(
      `SELECT current_setting('server_version_num')::int AS version, session_user AS role,
              current_database() AS database, bool_or(rolsuper) AS superuser, bool_or(rolbypassrls) AS bypass,
              bool_or(rolname = session_user || '_assistant') AS assistant
         FROM pg_catalog.pg_roles WHERE pg_catalog.pg_has_role(session_user, oid, 'MEMBER')`,
    )
    await client.end()
    const [facts] = rows
    if (!facts) throw new Error('the server did not describe the session role')
    return facts
  } catch (error) {
    throw new DatabaseError(
      'database_unreachable',
      `The database of COUNTERSIGN_DATABASE_URL at ${client.host}:${client.port} did not respond: ${error instanceof Error ? error.message : String(error)}.`,
      'Check that it is running, and that host, port, role and password are correct.',
      error,
    )
  }
}

function invalidUrl(): DatabaseError {
  return new DatabaseError(
    'database_url_invalid',
    'COUNTERSIGN_DATABASE_URL is not a PostgreSQL URL.',
    'Write it as postgresql://role:password@host:5432/database.',
  )
}
