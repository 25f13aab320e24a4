<?php
/** For PHP's own web server: pretty links, and a site's content, which lies beside the shared core. */
$creator_hq_path = rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );
$creator_hq_file = realpath( getenv( 'CREATOR_HQ_SITE' ) . $creator_hq_path );
if ( $creator_hq_file && 0 === strpos( $creator_hq_path, '/wp-content/' ) && is_file( $creator_hq_file ) && '.php' !== substr( $creator_hq_file, -4 ) ) {
	$creator_hq_types = array(
		'js'  => 'text/javascript',
		'css' => 'text/css',
		'svg' => 'image/svg+xml',
		'png' => 'image/png',
	);
	header( 'Content-Type: ' . ( $creator_hq_types[ pathinfo( $creator_hq_file, PATHINFO_EXTENSION ) ] ?? 'application/octet-stream' ) );
	readfile( $creator_hq_file );
	return;
}

// As a plugin that caches pages writes it into wp-config.php.
if ( is_file( getenv( 'CREATOR_HQ_SITE' ) . '/wp-content/advanced-cache.php' ) ) {
	define( 'WP_CACHE', true );
}
$creator_hq_file = $_SERVER['DOCUMENT_ROOT'] . $creator_hq_path;
if ( is_file( $creator_hq_file ) || ( is_dir( $creator_hq_file ) && is_file( $creator_hq_file . '/index.php' ) && '/' !== $creator_hq_path ) ) {
	return false;
}
$_SERVER['SCRIPT_NAME'] = '/index.php';
$_SERVER['PHP_SELF']    = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
