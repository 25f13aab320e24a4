<?php
/**
 * The recipe cards that other plugins put into posts. A card is named by a word and its id there: 'wprm-12'.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

final class Cards {

	/** Of block and shortcode, as they stand in a post, and of the HTML that WP Recipe Maker keeps there in place of its shortcode [C: `WPRM_Fallback_Recipe`]. */
	const PATTERNS = array(
		'wprm'   => '/<!--\s*wp:wp-recipe-maker\/recipe\s+\{[^}]*"id":\s*"?(\d+)|\[wprm-recipe\s[^\]]*id="?(\d+)|<!--WPRM Recipe (\d+)-->/',
		'tasty'  => '/<!--\s*wp:wp-tasty\/tasty-recipe\s+\{[^}]*"id":\s*"?(\d+)|\[tasty-recipe\s[^\]]*id="?(\d+)/',
		// Its block has the shortcode in it, and ids of other things.
		'create' => '/\[mv_create\s(?![^\]]*type="?list)[^\]]*key="?(\d+)/',
	);

	/** That HTML, whole. */
	const WPRM_HTML = '/<!--WPRM Recipe (\d+)-->.+?<!--End WPRM Recipe-->/s';

	/** The first card of a post, read from its text alone; '' when there is none that we know. */
	public static function first( string $content ): string {
		$first = '';
		$at    = PHP_INT_MAX;
		foreach ( self::PATTERNS as $kind => $pattern ) {
			if ( preg_match( $pattern, $content, $found, PREG_OFFSET_CAPTURE ) && $found[0][1] < $at ) {
				$at    = $found[0][1];
				$first = $kind . '-' . end( $found )[0];
			}
		}
		return $first;
	}

	/** @return array|null As the hub takes a page's `recipe`. */
	public static function facts( string $recipe, \WP_Post $post ): ?array {
		if ( preg_match( '/^(wprm|tasty|create)-(\d{1,15})$/', $recipe, $parts ) ) {
			$readers = array(
				'wprm'   => Wprm::class,
				'tasty'  => Tasty::class,
				'create' => Create::class,
			);
			$facts   = call_user_func( array( $readers[ $parts[1] ], 'facts' ), (int) $parts[2] );
			if ( null !== $facts ) {
				return $facts;
			}
		}
		return JsonLd::facts( $post );
	}

	/** Names of what this site uses. */
	public static function found(): array {
		return array_values(
			array_filter(
				array(
					class_exists( 'WPRM_Recipe_Manager' ) ? 'WP Recipe Maker' : '',
					class_exists( 'Tasty_Recipes' ) ? 'Tasty Recipes' : '',
					class_exists( 'Mediavine\Create\Plugin' ) ? 'Create' : '',
				)
			)
		);
	}
}
