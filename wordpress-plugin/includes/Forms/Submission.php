<?php
/**
 * One press of a form's button: checked, cheapest first, told to the hub, or kept in the outbox.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Forms;

use CreatorHq\Cards\Facts;
use CreatorHq\Gate\Lock;
use CreatorHq\Gate\Pass;
use CreatorHq\Hub;
use CreatorHq\Outbox;
use CreatorHq\State;
use CreatorHq\Tables;

final class Submission {

	/** A program fills a form in faster; the script waits, so people never notice. */
	const MIN_ELAPSED_MS = 1500;
	const MAX_EMAIL      = 254;
	const MAX_NAME       = 60;

	/**
	 * Takes the fields of a form by their names in it.
	 *
	 * @return array{status: int, result: string, code: string, message: string, url: string, opens: bool} `result` is one of the hub's, or
	 *         'saved' when the submission waits in the outbox; `url` is the page that the form stands in; `opens`: what is locked in it
	 *         opens now, and the browser's cookies say so.
	 */
	public static function take( array $fields, bool $by_script ): array {
		$text = function ( string $name ) use ( $fields ): string {
			$value = $fields[ $name ] ?? '';
			return is_string( $value ) || is_int( $value ) ? trim( (string) $value ) : '';
		};
		$form   = $text( 'form' );
		$recipe = $text( 'recipe' );
		$post   = ctype_digit( $text( 'post' ) ) && strlen( $text( 'post' ) ) < 16 ? (int) $text( 'post' ) : 0;

		if ( '' !== $text( 'website' ) ) {
			return self::refused( 400, 'spam', __( 'That did not look like a person. Please try again, and leave the field “Website” empty.', 'creator-hq' ) );
		}
		if ( ! Stamp::is_valid( $text( 'stamp' ), $form, $post, $recipe ) ) {
			return self::refused( 400, 'stamp', __( 'This page is too old. Reload it and try again.', 'creator-hq' ) );
		}
		$url = self::url_of( $post );
		if ( $by_script && (int) ( $fields['elapsed'] ?? 0 ) < self::MIN_ELAPSED_MS ) {
			return self::refused( 400, 'spam', __( 'That was very fast. Please try again.', 'creator-hq' ), $url );
		}
		$email = self::checked_email( $text( 'email' ) );
		if ( null === $email ) {
			return self::refused( 422, 'invalid_email', __( 'That email address does not look right. Please check it.', 'creator-hq' ), $url );
		}

		Tables::ensure();
		$network = Network::hashed();
		$attempt = self::attempt( $text( 'attempt' ), $form, $post, $recipe, $email );
		if ( ! Network::may_submit( $network, $form ) ) {
			return self::refused( 429, 'too_many', __( 'Too many tries from here. Please try again in 10 minutes.', 'creator-hq' ), $url );
		}
		$printed = Store::find( $form );
		if ( null === $printed ) {
			return self::refused( 404, 'form_gone', __( 'This form is no longer here. Reload the page.', 'creator-hq' ), $url );
		}
		if ( $post && ! self::is_public( $post ) ) {
			return self::refused( 404, 'not_public', __( 'This page is not public yet.', 'creator-hq' ), home_url( '/' ) );
		}
		Network::note( $network, $email, $form, $post, $recipe, $attempt );

		$newsletter = in_array( $fields['newsletter'] ?? '', array( '1', 1, true ), true );
		if ( 'gate' === $printed['kind'] && ! $newsletter ) {
			return self::refused( 422, 'consent_needed', __( 'Please check the box to read on.', 'creator-hq' ), $url );
		}
		$name       = self::checked_name( $text( 'first_name' ) );
		$submission = array(
			'attempt'     => $attempt,
			'formKey'     => $form,
			'formVersion' => $printed['version'],
			'email'       => $email,
			'firstName'   => '' === $name ? null : $name,
			'newsletter'  => $newsletter,
			'language'    => str_replace( '_', '-', determine_locale() ),
			'submittedAt' => gmdate( 'Y-m-d\TH:i:s\Z' ),
			'network'     => $network,
			'work'        => substr( $text( 'work' ), 0, 20 ),
			// Read here: address, title and picture of a mail never come from a browser.
			'page'        => Facts::of( $post, $recipe ),
		);
		// Without the script nothing was given to anyone.
		if ( $by_script && '1' === $text( 'ads' ) ) {
			$submission['ads'] = true;
		}
		$result     = self::hand_over( $submission, $url, Printer::thanks( $printed ) );
		$signs_up   = $newsletter || 'save' !== $printed['kind'];
		if ( 'refused' !== $result['result'] && $signs_up && $post && Lock::has_for( 'subscribers', Lock::text( get_post( $post ) ) ) ) {
			Pass::give( $attempt );
			$result['opens'] = true;
		}
		return $result;
	}

	private static function hand_over( array $submission, string $url, string $thanks ): array {
		if ( ! Hub::is_worth_asking() ) {
			return self::kept( $submission, $url );
		}
		$answer = Hub::call( 'POST', '/plugin/submissions', array( 'submissions' => array( $submission ) ) );
		$result = $answer['body']['results'][0] ?? null;
		if ( 'refused' === $answer['trouble'] ) {
			State::note( __( 'Creator HQ refused a submission.', 'creator-hq' ) );
			return self::refused( 422, 'refused', __( 'That did not work. Please check what you typed.', 'creator-hq' ), $url );
		}
		if ( '' !== $answer['trouble'] || ! is_array( $result ) || ( $result['attempt'] ?? '' ) !== $submission['attempt'] ) {
			return self::kept( $submission, $url );
		}
		// What waits goes with the reader's request, after their answer where the server can do that.
		if ( Outbox::count() > 0 ) {
			register_shutdown_function( \CreatorHq\Guard::action( array( Outbox::class, 'send' ) ) );
		}
		$state   = (string) ( $result['result'] ?? '' );
		$message = is_string( $result['message'] ?? null ) ? $result['message'] : '';
		if ( '' === $message ) {
			$message = 'on_its_way' === $state && '' !== $thanks ? $thanks : self::words( $state );
		}
		if ( 'refused' === $state ) {
			return self::refused( 422, (string) ( $result['code'] ?? 'refused' ), $message, $url );
		}
		return self::result( 200, $state, '', $message, $url );
	}

	private static function kept( array $submission, string $url ): array {
		if ( ! Outbox::add( $submission ) ) {
			return self::refused( 503, 'full', __( 'Sorry, that did not work. Please try again later.', 'creator-hq' ), $url );
		}
		return self::result( 200, 'saved', '', __( 'Saved. It comes as soon as we can send it.', 'creator-hq' ), $url );
	}

	private static function words( string $result ): string {
		switch ( $result ) {
			case 'please_confirm':
				return __( 'Almost there: look in your inbox and confirm with one tap.', 'creator-hq' );
			case 'already_sent':
				return __( 'Already sent. Look in your inbox, and in spam.', 'creator-hq' );
			case 'later':
				return __( 'Many today: the rest comes in one email later.', 'creator-hq' );
			case 'refused':
				return __( 'That did not work. Please check what you typed.', 'creator-hq' );
			default:
				return __( 'Sent. Look in your inbox.', 'creator-hq' );
		}
	}

	/** As the hub reads it; names in other scripts before the @ are left to the hub. */
	private static function checked_email( string $typed ): ?string {
		$is_plausible = strlen( $typed ) <= self::MAX_EMAIL && preg_match( '/^[^\s@<>(),;:"\[\]\\\\\x00-\x1f\x7f]+@[^\s@<>(),;:"\[\]\\\\\x00-\x1f\x7f]+\.[^\s@.]{2,}$/u', $typed );
		return $is_plausible ? $typed : null;
	}

	private static function checked_name( string $typed ): string {
		// Line breaks, other controls, and marks that turn the direction of what follows.
		$name = preg_replace( '/[\s\p{Cc}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}]+/u', ' ', $typed );
		return trim( (string) preg_replace( '/^(.{0,' . self::MAX_NAME . '}).*$/us', '$1', (string) $name ) );
	}

	/** The browser's own, or the same one for the same form, post and address within ten minutes. */
	private static function attempt( string $given, string $form, int $post, string $recipe, string $email ): string {
		if ( preg_match( '/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $given ) ) {
			return $given;
		}
		$known = Network::attempt_of( $email, $form, $post, $recipe );
		if ( null !== $known ) {
			return $known;
		}
		// Two presses at the same moment come to the same, too.
		$window = (int) floor( time() / Network::WINDOW_SECONDS );
		$hex    = substr( hash_hmac( 'sha256', implode( "\n", array( $form, $post, $recipe, strtolower( $email ), $window ) ), wp_salt() ), 0, 32 );
		$hex    = substr_replace( substr_replace( $hex, '8', 12, 1 ), '8', 16, 1 );
		return vsprintf( '%s%s-%s-%s-%s-%s%s%s', str_split( $hex, 4 ) );
	}

	private static function is_public( int $post ): bool {
		$found = get_post( $post );
		return $found && '' === $found->post_password && is_post_publicly_viewable( $found );
	}

	private static function url_of( int $post ): string {
		$url = $post && self::is_public( $post ) ? get_permalink( $post ) : false;
		return $url ? $url : home_url( '/' );
	}

	private static function refused( int $status, string $code, string $message, string $url = '' ): array {
		return self::result( $status, 'refused', $code, $message, '' === $url ? home_url( '/' ) : $url );
	}

	private static function result( int $status, string $result, string $code, string $message, string $url ): array {
		$opens = false;
		return compact( 'status', 'result', 'code', 'message', 'url', 'opens' );
	}
}
