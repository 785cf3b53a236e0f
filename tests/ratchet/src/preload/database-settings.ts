/**
 * Lets the embedded database tell what was written: its log of changes may be read, and holds the rows alone, without the
 * images of pages, whose number depends on when a page was last saved.
 */
import { changeSource } from './changed-source.ts'

const lastLine = "'REVOKE CONNECT ON DATABASE template1 FROM PUBLIC;',"
const mayRead = "'CREATE EXTENSION pg_walinspect;', `GRANT pg_read_server_files TO ${" + 'roleName};`,'

export function openChangeLog(): void {
  changeSource('/packages/gateway/src/database/cluster.ts', [
    { from: lastLine, to: `${lastLine} ${mayRead}`, times: 1 },
    { from: "full_page_writes: 'on'", to: "full_page_writes: 'off'", times: 1 },
  ])
}
