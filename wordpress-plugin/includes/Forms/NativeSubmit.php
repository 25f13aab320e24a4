<?php
/**
 * A form sent without our script: answered with a small page of its own, which no cache keeps and no theme changes.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Forms;

use CreatorHq\Gate\Open;

final class NativeSubmit {

	public static function answer() {
		// phpcs:disable WordPress.Security.NonceVerification -- The stamp takes the place of a nonce, see Stamp.
		if ( 'submit' !== ( $_GET['creator-hq'] ?? '' ) || 'POST' !== ( $_SERVER['REQUEST_METHOD'] ?? '' ) ) {
			return;
		}
		$fields = wp_unslash( $_POST );
		// phpcs:enable
		$result = Submission::take( is_array( $fields ) ? $fields : array(), false );
		status_header( $result['status'] );
		nocache_headers();
		header( 'Content-Type: text/html; charset=utf-8' );
		header( 'X-Robots-Tag: noindex' );
		header( "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'" );
		self::page( $result['message'], $result['url'], $result['opens'] );
		exit;
	}

	private static function page( string $message, string $url, bool $opens ) {
		?>
<!doctype html>
<html lang="<?php echo esc_attr( get_bloginfo( 'language' ) ); ?>" dir="<?php echo is_rtl() ? 'rtl' : 'ltr'; ?>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><?php echo esc_html( get_bloginfo( 'name' ) ); ?></title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto; padding: 0 1.25rem; }
a { display: inline-block; padding: .75rem 0; }
button { font: inherit; min-height: 44px; padding: .5rem 1.25rem; }
</style>
</head>
<body>
<main>
<p role="status"><?php echo esc_html( $message ); ?></p>
<?php if ( $opens ) : ?>
<form method="post" action="<?php echo esc_url( $url ); ?>"><input type="hidden" name="<?php echo esc_attr( Open::FIELD ); ?>" value="1"><button type="submit"><?php esc_html_e( 'Read on', 'creator-hq' ); ?></button></form>
<?php else : ?>
<p><a href="<?php echo esc_url( $url ); ?>"><?php esc_html_e( 'Back to the page', 'creator-hq' ); ?></a></p>
<?php endif; ?>
</main>
</body>
</html>
		<?php
	}
}
