<?php
/**
 * Plugin Name: What a test sees of each request
 *
 * A line of JSON per request in requests.log: its address, its queries, files and time, and the addresses that it called.
 */
$GLOBALS['creator_hq_calls'] = array();
add_filter(
	'pre_http_request',
	function ( $answer, $args, $url ) {
		$GLOBALS['creator_hq_calls'][] = $url;
		// WordPress asks other hosts for updates only where WordPress.org answered.
		return false === strpos( $url, '//api.wordpress.org/plugins/update-check/' ) ? $answer : array(
			'headers'  => array(),
			'body'     => '{"plugins":[],"translations":[],"no_update":[]}',
			'response' => array(
				'code'    => 200,
				'message' => 'OK',
			),
			'cookies'  => array(),
			'filename' => null,
		);
	},
	10,
	3
);
// While it updates a plugin, WordPress keeps a file beside its core, which all sites share: another one would look for it, and stop where
// it is gone before it was read.
add_filter( 'filesystem_method', fn() => 'of_site' );
add_filter( 'request_filesystem_credentials', '__return_true' );
add_filter(
	'filesystem_method_file',
	function () {
		require_once ABSPATH . 'wp-admin/includes/class-wp-filesystem-direct.php';
		class WP_Filesystem_Of_Site extends WP_Filesystem_Direct {
			public function abspath() {
				return trailingslashit( dirname( WP_CONTENT_DIR ) );
			}
		}
		return ABSPATH . 'wp-admin/includes/class-wp-filesystem-direct.php';
	}
);
// A machine under load may be slow without being away.
add_filter(
	'http_request_args',
	function ( $args ) {
		$args['timeout'] *= 5;
		return $args;
	}
);
add_action(
	'shutdown',
	function () {
		$line = array(
			'method'  => $_SERVER['REQUEST_METHOD'] ?? 'CLI',
			'path'    => $_SERVER['REQUEST_URI'] ?? '',
			'queries' => get_num_queries(),
			'files'   => count( get_included_files() ),
			'ms'      => 1000 * ( microtime( true ) - $_SERVER['REQUEST_TIME_FLOAT'] ),
			'calls'   => $GLOBALS['creator_hq_calls'],
		);
		// Not by getenv(): so late in a request, PHP in WebAssembly has given its environment away.
		file_put_contents( dirname( WP_CONTENT_DIR ) . '/requests.log', json_encode( $line ) . "\n", FILE_APPEND | LOCK_EX );
	},
	PHP_INT_MAX
);

// Code of a test, in a process that has WordPress compiled already: ten times as fast as a new one. Only the test has the key.
add_action(
	'wp_loaded',
	function () {
		$key = (string) getenv( 'CREATOR_HQ_TEST_KEY' );
		if ( '' !== $key && hash_equals( $key, $_SERVER['HTTP_X_TEST_KEY'] ?? '' ) ) {
			eval( file_get_contents( 'php://input' ) );
			exit( "\nCame to its end." );
		}
	},
	PHP_INT_MAX
);
