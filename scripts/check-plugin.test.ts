import { expect, test } from 'vitest';
import { pluginSources } from '#server/platforms/wordpress/plugin-package.ts';
import { checkPlugin } from './check-plugin.ts';

const textOf = async () =>
  new Map([...(await pluginSources())].map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')] as const));

test('the plugin keeps its rules', async () => {
  expect(checkPlugin(await textOf())).toEqual([]);
});

test.each([
  ['echo $name;', 'prints $name without escaping it'],
  ['echo "<p>$name</p>";', 'without escaping it'],
  [`echo '<p>' . $name . '</p>';`, 'prints $name without escaping it'],
  [`echo '<p>' . esc_html( $one ) . $two;`, 'prints $two without escaping it'],
  [`echo $is ? esc_html( $one ) : $two;`, 'prints $two without escaping it'],
  ['print $name;', 'without escaping it'],
  ['<?= $name ?>', 'prints by <?='],
  [`printf( '<a href="%s">', $url );`, 'prints $url without escaping it'],
  ['$wpdb->query( "DELETE FROM x WHERE id = $id" );', '$wpdb->query without $wpdb->prepare'],
  ['$wpdb->get_var( $sql );', '$wpdb->get_var without $wpdb->prepare'],
  [
    `$wpdb->get_var( $wpdb->prepare( "SELECT 1 FROM x WHERE id = $id AND name = %s", $name ) );`,
    'in the text of a prepared',
  ],
  [`$wpdb->get_var( $wpdb->prepare( 'SELECT ' . $what . ' FROM x WHERE id = %d', $id ) );`, '$what in the text'],
  [`register_rest_route( 'a', '/b', array( 'callback' => 'c' ) );`, 'without a permission_callback'],
  [
    `register_rest_route( 'a', '/b', array( 'permission_callback' => '__return_true' ) );`,
    'without a permission_callback',
  ],
  [
    `add_action( 'admin_post_' . 'x', array( self::class, 'act' ) );\n\tfunction act() {\n\t\tcheck_admin_referer( 'x' );\n\t}`,
    'act does not ask what the person may do',
  ],
  [
    `add_action( 'admin_post_' . 'x', array( self::class, 'act' ) );\n\tfunction act() {\n\t\tcurrent_user_can( 'x' );\n\t}`,
    'act checks no nonce',
  ],
  [`$a = __( 'Hello' );`, 'without the text domain'],
  [`$a = __( 'Hello', 'other' );`, 'without the text domain'],
  [`$a = __( $text, 'creator-hq' );`, 'of something that is no plain text'],
  [`$a = _n( '%d save', $many, 2, 'creator-hq' );`, 'of something that is no plain text'],
  ['$a = $b?->c();', 'PHP 7.4 does not know ?->'],
  ['$a = match ( $b ) { default => 1 };', 'PHP 7.4 does not know match ('],
  ['function f( int|string $a ) {}', 'PHP 7.4 does not know int|string $a'],
  ['try { f(); } catch ( Throwable ) {}', 'PHP 7.4 does not know catch'],
])('is found: %s', (code, text) => {
  const findings = checkPlugin(new Map([['planted.php', `<?php\nnamespace Planted;\n${code}\n`]]));
  expect(findings.filter(({ file }) => file === 'planted.php')).toMatchObject([
    { line: 3, text: expect.stringContaining(text) },
  ]);
});

test.each([
  `echo '<p>' . esc_html( $a . $b ) . '</p>';`,
  `printf( '<a href="%s">%s</a>', esc_url( $url ), esc_html( sprintf( '%s', $name ) ) );`,
  `$wpdb->get_var( $wpdb->prepare( 'SELECT 1 FROM %i WHERE id IN (' . implode( ', ', array_fill( 0, count( $ids ), '%d' ) ) . ')', $ids ) );`,
  `// echo $name;`,
])('is fine: %s', (code) => {
  const findings = checkPlugin(new Map([['planted.php', `<?php\nnamespace Planted;\n${code}\n`]]));
  expect(findings.filter(({ file }) => file === 'planted.php')).toEqual([]);
});

test('a file that does something when it is opened by its address, and versions that differ, are found', async () => {
  expect(checkPlugin(new Map([['open.php', '<?php\necho 1;']])).map(({ text }) => text)).toContain(
    'can be opened by its own address, and does something then',
  );
  const files = await textOf();
  files.set('readme.txt', files.get('readme.txt')!.replace('Stable tag: ', 'Stable tag: 9.'));
  expect(checkPlugin(files)).toMatchObject([{ file: 'readme.txt', text: expect.stringContaining('Stable tag') }]);
});

test('texts of the editor’s scripts are held to the text domain too', () => {
  expect(checkPlugin(new Map([['blocks/x/editor.js', `const a = __('Hello');`]]))).toContainEqual(
    expect.objectContaining({ file: 'blocks/x/editor.js', text: '__ without the text domain creator-hq' }),
  );
});
