import type pg from 'pg';

/** The schema of a migrated database in three readings: as SQL for people, as Kysely's table types, and what tables hold. */
export type SchemaDump = {
  sql: string;
  types: string;
  /** Comments of tables: `what | who is named | how long it is kept`. */
  comments: Map<string, string>;
};

const HEADER = 'Written by scripts/schema.ts from the migrated database. Do not edit.';

/** Our own bookkeeping; created by migrate.ts, used by nobody else. */
const BOOKKEEPING = 'schema_migrations';

/**
 * Reads the schema `public` from the catalogue (the embedded package brings no pg_dump). The same schema gives the same
 * text, whatever the order in which it came about, except for the order of columns, which is the table's own.
 */
export async function dumpSchema(client: pg.Client): Promise<SchemaDump> {
  // Names outside the search path are printed with their schema; ours are in `public` and read better without.
  await client.query('set search_path to public');
  const tables = await readTables(client);
  const comments = tables.flatMap(({ name, comment }) => (comment === null ? [] : [[name, comment] as const]));
  return { sql: await writeSql(client, tables), types: writeTypes(tables), comments: new Map(comments) };
}

type Column = {
  name: string;
  /** As in a `create table`: `character varying(20)`, `text[]`. */
  type: string;
  /** The catalogue's short name, `_text` for `text[]`. */
  typeName: string;
  notNull: boolean;
  default: string | null;
  /** 'a' always, 'd' by default, '' none */
  identity: 'a' | 'd' | '';
  /** 's' stored, 'v' virtual, '' none */
  generated: 's' | 'v' | '';
};

type Constraint = { name: string; kind: 'p' | 'u' | 'c' | 'f' | 'x'; definition: string };

type Table = {
  name: string;
  comment: string | null;
  storage: string[] | null;
  rowSecurity: boolean;
  forcedRowSecurity: boolean;
  columns: Column[];
  constraints: Constraint[];
  indexes: string[];
  policies: string[];
  triggers: string[];
  grants: string[];
};

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select
       c.relname as name,
       obj_description(c.oid) as comment,
       c.reloptions as storage,
       c.relrowsecurity as "rowSecurity",
       c.relforcerowsecurity as "forcedRowSecurity",
       (
         select coalesce(json_agg(json_build_object(
           'name', a.attname,
           'type', format_type(a.atttypid, a.atttypmod),
           'typeName', t.typname,
           'notNull', a.attnotnull,
           'default', pg_get_expr(d.adbin, d.adrelid),
           'identity', a.attidentity,
           'generated', a.attgenerated
         ) order by a.attnum), '[]')
         from pg_attribute a
         join pg_type t on t.oid = a.atttypid
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       ) as columns,
       (
         select coalesce(json_agg(json_build_object(
           'name', conname, 'kind', contype, 'definition', pg_get_constraintdef(oid, true)
         ) order by array_position(array['p', 'u', 'c', 'f', 'x'], contype::text), conname), '[]')
         -- Kind 'n' (not null) is said by the column.
         from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'c', 'f', 'x')
       ) as constraints,
       array(
         select pg_get_indexdef(i.indexrelid)
         from pg_index i join pg_class ic on ic.oid = i.indexrelid
         where i.indrelid = c.oid
           and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
         order by ic.relname
       ) as indexes,
       array(
         select format(
           'create policy %I on %I%s for %s to %s%s%s;',
           policyname, tablename,
           case permissive when 'RESTRICTIVE' then ' as restrictive' else '' end,
           lower(cmd), array_to_string(roles, ', '),
           E'\\n  using ' || regexp_replace(qual, '^([^(].*)$', '(\\1)'),
           E'\\n  with check ' || regexp_replace(with_check, '^([^(].*)$', '(\\1)')
         )
         from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
         order by policyname
       ) as policies,
       array(
         select pg_get_triggerdef(oid) || ';' from pg_trigger
         where tgrelid = c.oid and not tgisinternal order by tgname
       ) as triggers,
       array(
         select format('grant %s on %I to %s;', string_agg(lower(g.privilege_type), ', ' order by g.privilege_type),
           c.relname, coalesce(r.rolname, 'public'))
         from aclexplode(c.relacl) g left join pg_roles r on r.oid = g.grantee
         where g.grantee <> c.relowner
         group by r.rolname order by r.rolname
       ) as grants
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> $1
     order by c.relname`,
    [BOOKKEEPING],
  );
  return rows;
}

async function writeSql(client: pg.Client, tables: Table[]): Promise<string> {
  const functions = await readList(
    client,
    `select pg_get_functiondef(p.oid) as text from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       order by p.proname, pg_get_function_identity_arguments(p.oid)`,
  );
  const views = await readList(
    client,
    `select format(E'create view %I as\\n%s', viewname, definition) as text from pg_views
       where schemaname = 'public' order by viewname`,
  );
  const defaultGrants = await readList(
    client,
    `select format('alter default privileges in schema public grant %s on %s to %s;',
         string_agg(lower(g.privilege_type), ', ' order by g.privilege_type),
         case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' else 'types' end,
         r.rolname) as text
       from pg_default_acl d, aclexplode(d.defaclacl) g join pg_roles r on r.oid = g.grantee
       where d.defaclnamespace = 'public'::regnamespace and g.grantee <> d.defaclrole
       group by d.defaclobjtype, r.rolname order by d.defaclobjtype, r.rolname`,
  );
  const parts = [
    `-- ${HEADER}`,
    ...functions.map((text) => `${text.trim()};`),
    ...tables.map(tableSql),
    ...views,
    defaultGrants.join('\n'),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

async function readList(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(query);
  return rows.map(({ text }) => text);
}

function tableSql(table: Table): string {
  const lines = [
    ...table.columns.map(columnSql),
    ...table.constraints.map(({ name, definition }) => `constraint ${name} ${definition}`),
  ];
  const storage = table.storage ? ` with (${table.storage.sort().join(', ')})` : '';
  return [
    `create table ${table.name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${storage};`,
    ...(table.comment === null ? [] : [`comment on table ${table.name} is '${table.comment.replaceAll("'", "''")}';`]),
    ...table.indexes.map((definition) => `${definition.replace(' ON public.', ' ON ')};`),
    ...(table.rowSecurity ? [`alter table ${table.name} enable row level security;`] : []),
    ...(table.forcedRowSecurity ? [`alter table ${table.name} force row level security;`] : []),
    ...table.policies,
    ...table.triggers,
    ...table.grants,
  ].join('\n');
}

function columnSql(column: Column): string {
  return [
    column.name,
    column.type,
    column.notNull ? 'not null' : '',
    column.identity && `generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`,
    column.generated && `generated always as (${column.default}) ${column.generated === 's' ? 'stored' : 'virtual'}`,
    column.default !== null && !column.generated ? `default ${column.default}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** How `server/db/database.ts` hands values over, by the catalogue's type names. */
const typescriptTypes: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  varchar: 'string',
};

function writeTypes(tables: Table[]): string {
  const interfaces = tables.map(
    (table) =>
      `export interface ${typeName(table.name)} {\n${table.columns
        .map((column) => `  ${column.name}: ${columnType(column, table.constraints)};`)
        .join('\n')}\n}`,
  );
  const list = tables.map(({ name }) => `  ${name}: ${typeName(name)};`).join('\n');
  const used = interfaces.join('\n');
  const imports = ['ColumnType', 'Generated', 'GeneratedAlways'].filter(
    (name) => used.includes(`${name}<`) || (name === 'ColumnType' && used.includes('Json')),
  );
  return [
    `// ${HEADER}`,
    `import type { ${imports.join(', ')} } from 'kysely';`,
    '/** Parsed when read. Written as JSON text: `pg` would turn a bare array into a PostgreSQL array. */\ntype Json = ColumnType<unknown, string, string>;\ntype NullableJson = ColumnType<unknown, string | null | undefined, string | null>;\ntype DefaultedJson = ColumnType<unknown, string | undefined, string>;',
    ...interfaces,
    `/** Every table, for Kysely. */\nexport interface Tables {\n${list}\n}`,
    '',
  ]
    .filter((part) => !part.includes('type Json') || used.includes('Json'))
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function typeName(table: string): string {
  return `${table.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Table`;
}

function columnType(column: Column, constraints: Constraint[]): string {
  const defaulted = column.default !== null || column.identity !== '';
  if (column.typeName === 'json' || column.typeName === 'jsonb') {
    if (!column.notNull) return 'NullableJson';
    return defaulted ? 'DefaultedJson' : 'Json';
  }
  const isArray = column.typeName.startsWith('_');
  const base = allowedValues(column, constraints) ?? typescriptTypes[column.typeName.replace(/^_/, '')] ?? 'unknown';
  const type = (isArray ? `${base}[]` : base) + (column.notNull ? '' : ' | null');
  if (column.identity === 'a' || column.generated) return `GeneratedAlways<${type}>`;
  return defaulted ? `Generated<${type}>` : type;
}

/** `check (role in ('owner', 'collaborator'))` as a union of texts. */
function allowedValues(column: Column, constraints: Constraint[]): string | undefined {
  for (const { kind, definition } of constraints) {
    const list = new RegExp(`^CHECK \\(${column.name} = ANY \\(ARRAY\\[((?:'[^']*'::text(?:, )?)+)\\]\\)\\)$`).exec(
      definition,
    );
    if (kind === 'c' && list?.[1]) return list[1].replaceAll('::text', '').replaceAll(', ', ' | ');
  }
  return undefined;
}
