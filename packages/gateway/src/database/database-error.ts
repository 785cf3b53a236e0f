/** The one error of this folder: a stable code, what happened, and what the operator does next. */
export type DatabaseErrorCode =
  | 'database_binaries_missing'
  | 'database_directory_refused'
  | 'database_major_changed'
  | 'database_not_started'
  | 'database_not_stopped'
  | 'database_platform_unsupported'
  | 'database_role_missing'
  | 'database_role_too_powerful'
  | 'database_start_busy'
  | 'database_unreachable'
  | 'database_url_invalid'
  | 'database_version_unsupported'

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: DatabaseErrorCode

  constructor(code: DatabaseErrorCode, what: string, next: string, cause?: unknown) {
    super(`${what} ${next}`, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
