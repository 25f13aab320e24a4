<?php
/**
 * Fills a printed form in for one post and recipe. No call to the hub, and no query but the one for the forms.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Forms;

final class Printer {

	const SCRIPT = 'creator-hq-form';

	public static function form( array $form, int $post, string $recipe ): string {
		$values = array(
			'%%chq-action%%'  => esc_url( home_url( '/?creator-hq=submit' ) ),
			'%%chq-post%%'    => esc_attr( (string) $post ),
			'%%chq-recipe%%'  => esc_attr( $recipe ),
			'%%chq-stamp%%'   => esc_attr( Stamp::make( $form['key'], $post, $recipe ) ),
			// Made by the script or, without it, where the form arrives: a page from a cache is the same for everybody.
			'%%chq-attempt%%' => '',
		);
		$html   = strtr( self::in_language( $form['languages'] ), $values );
		$opened = '<creator-hq-form data-submit="' . esc_url( rest_url( 'creator-hq/v1/submit' ) ) . '"';
		self::enqueue();
		return preg_replace( '/<creator-hq-form\b/', addcslashes( $opened, '\\$' ), $html, 1 );
	}

	/** What the form itself says when something is on its way; '' when it says nothing. */
	public static function thanks( array $form ): string {
		$found = preg_match( '/\sdata-thanks="([^"]*)"/', self::in_language( $form['languages'] ), $parts );
		return $found ? html_entity_decode( $parts[1], ENT_QUOTES | ENT_HTML5, 'UTF-8' ) : '';
	}

	/** The form's texts in the language of the page: exactly, then by its first part, else the first. */
	private static function in_language( array $languages ): string {
		$wanted = strtolower( str_replace( '_', '-', determine_locale() ) );
		$short  = strtok( $wanted, '-' );
		foreach ( array( $wanted, $short ) as $language ) {
			foreach ( $languages as $entry ) {
				if ( strtolower( $entry['language'] ) === $language ) {
					return $entry['html'];
				}
			}
		}
		foreach ( $languages as $entry ) {
			if ( strtok( strtolower( $entry['language'] ), '-' ) === $short ) {
				return $entry['html'];
			}
		}
		return $languages[0]['html'];
	}

	/** The script that sends forms and opens what is locked. */
	public static function enqueue() {
		wp_enqueue_script(
			self::SCRIPT,
			plugins_url( 'assets/form.js', CREATOR_HQ_FILE ),
			array(),
			CREATOR_HQ_VERSION,
			// WordPress 6.2 takes this as "in the footer".
			array(
				'strategy'  => 'defer',
				'in_footer' => true,
			)
		);
	}

	/** WordPress 6.2 knows no strategy. */
	public static function defer( $tag, $handle ) {
		return self::SCRIPT === $handle && false === strpos( $tag, ' defer' ) ? str_replace( ' src=', ' defer src=', $tag ) : $tag;
	}
}
