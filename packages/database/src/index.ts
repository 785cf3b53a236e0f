export { type Migration, migrate } from './migrate.ts'
export { isPassingFailure } from './passing-failure.ts'
export { databaseOn, openPool, preparedNames } from './pool.ts'
export { openProcessMessages, type ProcessMessages } from './process-messages.ts'
