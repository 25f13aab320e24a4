<?php
/**
 * Cards of WP Recipe Maker.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

final class Wprm {

	public static function facts( int $id ): ?array {
		if ( ! class_exists( 'WPRM_Recipe_Manager' ) || ! is_callable( array( 'WPRM_Recipe_Manager', 'get_recipe' ) ) ) {
			return null;
		}
		$recipe = \WPRM_Recipe_Manager::get_recipe( $id );
		if ( ! is_object( $recipe ) ) {
			return null;
		}
		$servings = self::read( $recipe, 'servings' );
		return array(
			'name'         => (string) self::read( $recipe, 'name' ),
			'anchor'       => 'wprm-recipe-container-' . $id,
			'groups'       => self::groups( self::read( $recipe, 'ingredients' ) ),
			'totalMinutes' => (int) self::read( $recipe, 'total_time' ),
			'yield'        => $servings ? $servings . ' ' . self::read( $recipe, 'servings_unit' ) : '',
		);
	}

	private static function groups( $groups ): array {
		$found = array();
		foreach ( is_array( $groups ) ? $groups : array() as $group ) {
			$lines = array();
			foreach ( (array) ( $group['ingredients'] ?? array() ) as $line ) {
				$parts   = array( $line['amount'] ?? '', $line['unit'] ?? '', $line['name'] ?? '' );
				$lines[] = array(
					'text'  => implode( ' ', array_filter( array_map( 'strval', $parts ), 'strlen' ) ),
					'notes' => (string) ( $line['notes'] ?? '' ),
					'uid'   => (string) ( $line['uid'] ?? '' ),
				);
			}
			$found[] = array(
				'name'  => (string) ( $group['name'] ?? '' ),
				'lines' => $lines,
			);
		}
		return $found;
	}

	private static function read( $recipe, string $name ) {
		return is_callable( array( $recipe, $name ) ) ? $recipe->$name() : '';
	}
}
