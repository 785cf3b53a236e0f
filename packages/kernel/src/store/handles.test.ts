import { expect, it } from 'vitest'
import { refuseControl } from './handles.ts'

it.each([
  'select 1',
  ' with x as (select 1) select * from x',
  'insert into outbox values (1)',
  '((select 1) union all (select 2))',
  'UPDATE outbox set key = key',
  'delete from outbox',
])('lets rows be read and changed: %s', (text) => {
  expect(() => refuseControl(text)).not.toThrow()
})

it.each([
  'set role none',
  'reset role',
  '(reset role)',
  'set local role countersign',
  'commit',
  'rollback',
  'savepoint a',
  'do $$ begin set role none; end $$',
  'call something()',
  'explain analyze update calls set id = id',
  'create table a (b text)',
  'truncate calls',
  'lock table calls',
  'copy calls to stdout',
  '/* select */ reset role',
  '-- select\nreset role',
  "select set_config('role', 'none', true)",
  "select SET_CONFIG('role', 'none', true)",
  "select U&\"set\\005fconfig\"('role', 'none', true)",
  "update pg_settings set setting = 'off' where name = 'synchronous_commit'",
  'select * from ts_stat($1)',
  "select * from ts_stat('select to_tsvector(set_con' || 'fig(''role'', ''none'', true))')",
  "select ts_rewrite('a'::tsquery, $1)",
  'select query_to_xml($1, true, true, $2)',
  'select cursor_to_xml($1, 1, true, true, $2)',
  'select Database_To_Xml_And_XmlSchema(true, true, $1)',
  "select pg_notify('countersign', 'x')",
  'select lo_create(0)',
  '',
])('refuses what could end the transaction or take the role off: %s', (text) => {
  expect(() => refuseControl(text)).toThrow('may only read and change rows')
})
